import { describe, expect, test } from 'vitest';
import { type DueJob, simulateUntil } from '../../../src/platform/jobs/simulate-until.ts';

const at = (seconds: number) => new Date(1_000_000 + seconds * 1000);
const HOUR = 3600;

/** A job that is due at the given times and records its runs. */
function jobDueAt(name: string, times: number[], done: string[]): DueJob {
  const ahead = [...times];
  return {
    next: async () => (ahead[0] === undefined ? undefined : at(ahead[0])),
    run: async (now) => {
      done.push(`${name} ${(now.getTime() - at(0).getTime()) / 1000}`);
      ahead.shift();
    },
  };
}

const pass = async (works: readonly DueJob[], end: number) => {
  const reached: number[] = [];
  await simulateUntil(works, {
    from: at(0),
    end: at(end),
    reach: async (moment) => void reached.push((moment.getTime() - at(0).getTime()) / 1000),
  });
  return reached;
};

describe('simulated time', () => {
  test('success: every job runs at the moment at which it falls due, in the order of time', async () => {
    const done: string[] = [];
    const works = [jobDueAt('mail', [5, 65], done), jobDueAt('life', [60, 65, 900], done)];
    expect(await pass(works, 600)).toEqual([5, 60, 65, 600]);
    expect(done).toEqual(['mail 5', 'life 60', 'mail 65', 'life 65']);
  });

  test('success: overdue jobs run at the start', async () => {
    const done: string[] = [];
    await pass([jobDueAt('late', [-100], done)], 10);
    expect(done).toEqual(['late 0']);
  });

  test('success: many close due times are batched, and none is left out', async () => {
    const times = Array.from({ length: 5_000 }, (_, index) => index * 10 + 10);
    let ahead = times;
    const manyTimes: DueJob = {
      next: async () => (ahead[0] === undefined ? undefined : at(ahead[0])),
      run: async (now) => {
        ahead = ahead.filter((time) => at(time) > now);
      },
    };
    const reached = await pass([manyTimes], 50_000);
    expect(reached.slice(0, 200)).toEqual(times.slice(0, 200));
    expect(reached.length).toBeLessThan(2_000);
    expect(reached).toEqual(reached.toSorted((one, other) => one - other));
    expect(ahead).toEqual([]);
  });

  test('success: without jobs only the end is reached', async () => {
    expect(await pass([], 10)).toEqual([10]);
    expect(await pass([jobDueAt('later', [11], [])], 10)).toEqual([10]);
  });

  test('failure: a due job that finds nothing to do is postponed by an hour, and delays no other', async () => {
    const done: string[] = [];
    const stuck: DueJob = { next: async () => at(1), run: async () => void done.push('stuck') };
    expect(await pass([stuck, jobDueAt('life', [60], done)], 2 * HOUR)).toEqual([1, 60, 1 + HOUR, 2 * HOUR]);
    expect(done).toEqual(['stuck', 'life 60', 'stuck']);
  });
});

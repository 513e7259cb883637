import { describe, expect, test } from 'vitest';
import { type DueJob, simulateUntil } from '../../../src/platform/jobs/simulate-until.ts';

const at = (seconds: number) => new Date(1_000_000 + seconds * 1000);
const HOUR = 3600;

/** Work that is due at given times, and what was done when. */
function diary(name: string, times: number[], done: string[]): DueJob {
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

describe('time that passes', () => {
  test('success: every work is done at the moment at which it falls due, in the order of time', async () => {
    const done: string[] = [];
    const works = [diary('mail', [5, 65], done), diary('life', [60, 65, 900], done)];
    expect(await pass(works, 600)).toEqual([5, 60, 65, 600]);
    expect(done).toEqual(['mail 5', 'life 60', 'mail 65', 'life 65']);
  });

  test('success: what was due before is done where time stands', async () => {
    const done: string[] = [];
    await pass([diary('late', [-100], done)], 10);
    expect(done).toEqual(['late 0']);
  });

  test('success: in a crowd what lies close together is done together, and nothing is left out', async () => {
    const times = Array.from({ length: 5_000 }, (_, index) => index * 10 + 10);
    let ahead = times;
    const crowd: DueJob = {
      next: async () => (ahead[0] === undefined ? undefined : at(ahead[0])),
      run: async (now) => {
        ahead = ahead.filter((time) => at(time) > now);
      },
    };
    const reached = await pass([crowd], 50_000);
    expect(reached.slice(0, 200)).toEqual(times.slice(0, 200));
    expect(reached.length).toBeLessThan(2_000);
    expect(reached).toEqual(reached.toSorted((one, other) => one - other));
    expect(ahead).toEqual([]);
  });

  test('success: without work only the end is reached', async () => {
    expect(await pass([], 10)).toEqual([10]);
    expect(await pass([diary('later', [11], [])], 10)).toEqual([10]);
  });

  test('failure: work that is due and finds nothing to do rests for an hour, and holds nobody up', async () => {
    const done: string[] = [];
    const stuck: DueJob = { next: async () => at(1), run: async () => void done.push('stuck') };
    expect(await pass([stuck, diary('life', [60], done)], 2 * HOUR)).toEqual([1, 60, 1 + HOUR, 2 * HOUR]);
    expect(done).toEqual(['stuck', 'life 60', 'stuck']);
  });
});

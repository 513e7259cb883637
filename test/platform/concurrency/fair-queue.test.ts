import { describe, expect, test } from 'vitest';
import { FairQueue, QueueFull } from '../../../src/platform/concurrency/fair-queue.ts';
import { holdTimers } from '../../support/held-timers.ts';

/** A wait has a delay that no other timer has. */
const BOUNDS = { atOnce: 3, perKey: 2, maxWaitingPerKey: 4, maxWaitMs: 1_234_567 };
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose work ends when the test says so. */
function controlled(bounds: Partial<typeof BOUNDS> = {}) {
  const queue = new FairQueue<string>({ ...BOUNDS, ...bounds });
  const started: string[] = [];
  const ends = new Map<string, { resolve: (name: string) => void; reject: (error: Error) => void }>();
  const run = (key: string, name: string, options?: { admitted: boolean }) => {
    const result = queue.run(
      key,
      () => {
        started.push(name);
        return new Promise<string>((resolve, reject) => ends.set(name, { resolve, reject }));
      },
      options,
    );
    result.catch(() => {});
    return result;
  };
  const finish = async (...names: string[]) => {
    for (const name of names) ends.get(name)?.resolve(name);
    await settle();
  };
  const fail = async (name: string) => {
    ends.get(name)?.reject(new Error(name));
    await settle();
  };
  return { queue, started, run, finish, fail };
}

describe('fair queue', () => {
  test('success: one key has at most two places, and another key finds one free', async () => {
    const { queue, started, run, finish } = controlled();
    for (const name of ['a1', 'a2', 'a3', 'a4']) run('a', name);
    run('b', 'b1');
    expect(started).toEqual(['a1', 'a2', 'b1']);
    expect(queue.waiting).toBe(2);
    await finish('b1');
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await finish('a1', 'a2');
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
    expect(queue.waiting).toBe(0);
  });

  test('success: free places go to the keys in turn, however many of one key wait', async () => {
    const { started, run, finish } = controlled({ atOnce: 1 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) run('a', name);
    for (const name of ['b1', 'b2']) run('b', name);
    run('c', 'c1');
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']) await finish(name);
    expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  test('success: results and failures reach their caller, and both free their place', async () => {
    const { run, finish, fail } = controlled({ atOnce: 1, perKey: 1 });
    const [first, second, third] = [run('a', 'a1'), run('a', 'a2'), run('b', 'b1')];
    await fail('a1');
    await expect(first).rejects.toThrow('a1');
    await finish('b1');
    await finish('a2');
    expect(await Promise.all([second, third])).toEqual(['a2', 'b1']);
  });

  test('failure: beyond the bound of its key work is refused immediately, and other keys are not', async () => {
    const { queue, started, run } = controlled();
    const results = Array.from({ length: 7 }, (_, index) => run('a', `a${index}`));
    await expect(results[6]).rejects.toThrow(QueueFull);
    run('b', 'b1');
    expect(started).toEqual(['a0', 'a1', 'b1']);
    expect(queue.waiting).toBe(4);
  });

  test('success: work admitted before waits beyond the bound', async () => {
    const { started, run, finish } = controlled({ atOnce: 1, perKey: 1, maxWaitingPerKey: 0 });
    run('a', 'a1');
    const next = run('a', 'a2', { admitted: true });
    await finish('a1');
    await finish('a2');
    expect(await next).toBe('a2');
    expect(started).toEqual(['a1', 'a2']);
  });

  test.each([0, 1, 2, 3, 4, 5])(
    'success: the concurrency limit holds, also when work arrives %i microtasks after an end',
    async (steps) => {
      const queue = new FairQueue<string>({ ...BOUNDS, atOnce: 1 });
      let [running, most] = [0, 0];
      const busy = async () => {
        running += 1;
        most = Math.max(most, running);
        await settle();
        running -= 1;
      };
      const { promise, resolve } = Promise.withResolvers<void>();
      const [first, second] = [queue.run('a', () => promise), queue.run('a', busy)];
      resolve();
      for (let step = 0; step < steps; step += 1) await undefined;
      await Promise.all([first, second, queue.run('b', busy)]);
      expect(most).toBe(1);
    },
  );
});

describe('a wait that takes too long', () => {
  test('failure: times out, and the work is never started', async () => {
    const waits = holdTimers(BOUNDS.maxWaitMs);
    const { queue, started, run, finish } = controlled({ atOnce: 1 });
    run('a', 'a1');
    const late = run('b', 'b1');
    const admitted = run('b', 'b2', { admitted: true });
    waits.runOut();
    await expect(late).rejects.toThrow(QueueFull);
    expect(queue.waiting).toBe(1);
    await finish('a1');
    await finish('b2');
    expect(await admitted).toBe('b2');
    expect(started).toEqual(['a1', 'b2']);
  });

  test('success: does not end work that has started in time', async () => {
    const waits = holdTimers(BOUNDS.maxWaitMs);
    const { run, finish } = controlled({ atOnce: 1 });
    run('a', 'a1');
    const second = run('b', 'b1');
    await finish('a1');
    waits.runOut();
    await finish('b1');
    expect(await second).toBe('b1');
  });
});

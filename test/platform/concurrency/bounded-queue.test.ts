import { describe, expect, test } from 'vitest';
import { BoundedQueue } from '../../../src/platform/concurrency/bounded-queue.ts';

/** Work that the test ends. */
function task(name = '') {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const state = { started: false };
  const work = () => {
    state.started = true;
    return promise;
  };
  return { work, state, finish: () => resolve(name), fail: () => reject(new Error(name)) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('bounded queue', () => {
  test('success: a few run, a few wait in order, the rest is rejected immediately', async () => {
    const queue = new BoundedQueue(2, 2);
    const tasks = ['a', 'b', 'c', 'd', 'e'].map(task);
    const results = tasks.map(({ work }) => queue.run(work));
    const started = () => tasks.map(({ state }) => state.started);
    expect(started()).toEqual([true, true, false, false, false]);
    expect(results[4]).toBeUndefined();
    tasks[1]?.finish();
    expect(await results[1]).toBe('b');
    await settle();
    expect(started()).toEqual([true, true, true, false, false]);
    for (const { finish } of tasks) finish();
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', undefined]);
  });

  test('success: work that fails, also synchronously, frees its place like any other', async () => {
    const queue = new BoundedQueue(1, 1);
    const failing = task('broken');
    const first = queue.run(failing.work);
    const second = queue.run(async () => 'next');
    failing.fail();
    await expect(first).rejects.toThrow('broken');
    expect(await second).toBe('next');
    await expect(
      queue.run(() => {
        throw new Error('at once');
      }),
    ).rejects.toThrow('at once');
    expect(await queue.run(async () => 'still open')).toBe('still open');
  });

  test('success: preferred work overtakes waiting work, in its own order', async () => {
    const queue = new BoundedQueue(1, 4);
    const order: string[] = [];
    const noted = (name: string) => async () => {
      order.push(name);
    };
    const holder = task();
    const preferred = { preferred: true };
    const all = [
      queue.run(holder.work),
      queue.run(noted('first')),
      queue.run(noted('second')),
      queue.run(noted('preferred first'), preferred),
      queue.run(noted('preferred second'), preferred),
    ];
    holder.finish();
    await Promise.all(all);
    expect(order).toEqual(['preferred first', 'preferred second', 'first', 'second']);
  });

  test.each([false, true])('success: those who wait take turns (preferred: %s)', async (preferred) => {
    const queue = new BoundedQueue(1, 10);
    const order: string[] = [];
    const holder = task();
    const add = (key: string) =>
      queue.run(
        async () => {
          order.push(key);
        },
        { preferred, key },
      );
    const all = [queue.run(holder.work), ...['much', 'much', 'much', 'little', 'other', 'other'].map(add)];
    holder.finish();
    await Promise.all(all);
    expect(order).toEqual(['much', 'little', 'other', 'much', 'other', 'much']);
    expect(queue.waiting).toBe(0);
  });

  test('failure: nobody has more than a share of the places', async () => {
    const queue = new BoundedQueue(1, 4, 0, 2);
    const holder = task();
    const results = ['a', 'a', 'a', 'a', 'b'].map((key) => queue.run(holder.work, { key }));
    holder.finish();
    expect(results.map((result) => result !== undefined)).toEqual([true, true, true, false, true]);
  });

  test('success: reserved places are for preferred work only, which may take any', async () => {
    const places = (inOrder: readonly boolean[]) => {
      const queue = new BoundedQueue(1, 2, 2);
      const holder = task();
      const results = [false, ...inOrder].map((preferred) => queue.run(holder.work, { preferred }));
      holder.finish();
      return results.slice(1).map((result) => result !== undefined);
    };
    expect(places([false, false, false, true, true, true])).toEqual([true, true, false, true, true, false]);
    expect(places([true, true, true, true, true])).toEqual([true, true, true, true, false]);
    expect(places([true, true, false, false, false])).toEqual([true, true, true, true, false]);
  });

  test.each([0, 1, 2, 3, 4, 5, 6])(
    'success: the concurrency limit holds, also when work arrives %i microtasks after an end',
    async (steps) => {
      const queue = new BoundedQueue(1, 2);
      let running = 0;
      let most = 0;
      const busy = async () => {
        running += 1;
        most = Math.max(most, running);
        await settle();
        running -= 1;
      };
      const holder = task();
      const first = queue.run(holder.work);
      const second = queue.run(busy);
      holder.finish();
      for (let step = 0; step < steps; step += 1) await undefined;
      const third = queue.run(busy);
      await Promise.all([first, second, third]);
      expect(most).toBe(1);
    },
  );
});

import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { MicroBatcher, SLOW_BATCH_MS } from '../../../src/platform/concurrency/micro-batcher.ts';
import { holdTimers } from '../../support/held-timers.ts';

const items = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index);

/** A batcher whose batches end when the test says so. */
function batching(maxSize = 64) {
  const batches: (readonly number[])[] = [];
  const ends: { readonly succeed: () => void; readonly fail: () => void }[] = [];
  const batcher = new MicroBatcher<number, number>((batch) => {
    batches.push(batch);
    return new Promise((resolve, reject) => {
      ends.push({
        succeed: () => resolve(batch.map((item) => item * 10)),
        fail: () => reject(new Error(`batch of ${batch.length}`)),
      });
    });
  }, maxSize);
  const end = async (how: 'succeed' | 'fail' = 'succeed') => {
    ends.shift()?.[how]();
    await turn();
    await turn();
  };
  const add = async (added: readonly number[]) => {
    const results = added.map((item) => batcher.add(item));
    for (const result of results) result.catch(() => {});
    await turn();
    return results;
  };
  return { add, batches, end };
}

describe('MicroBatcher', () => {
  test('success: each item has its own result, whatever else is in its batch', async () => {
    const { add, batches, end } = batching(3);
    const results = await add(items(7));
    for (const _ of items(3)) await end();
    expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(batches).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  test('success: a single item is not delayed to fill a batch', async () => {
    const { add, batches, end } = batching();
    await add([1]);
    await end();
    await add([2]);
    expect(batches).toEqual([[1], [2]]);
  });

  test('success: items that arrive while a batch runs become the next one', async () => {
    const { add, batches, end } = batching();
    await add([1]);
    await add([2]);
    await add([3]);
    expect(batches).toEqual([[1]]);
    await end();
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test('success: a batch takes half of the waiting items, but eight of few', async () => {
    const { add, batches, end } = batching();
    await add(items(30));
    await end();
    await end();
    expect(batches.map((batch) => batch.length)).toEqual([15, 8, 7]);
  });

  test('success: a second batch starts beside a slow one, and no third', async () => {
    const { runOut } = holdTimers(SLOW_BATCH_MS);
    const { add, batches, end } = batching();
    await add([1]);
    await add([2]);
    expect(batches).toEqual([[1]]);
    runOut();
    await turn();
    expect(batches).toEqual([[1], [2]]);
    await add([3]);
    runOut();
    await turn();
    expect(batches).toEqual([[1], [2]]);
    await end();
    expect(batches).toEqual([[1], [2], [3]]);
  });

  test('success: after a slow batch one runs at a time again', async () => {
    const { runOut } = holdTimers(SLOW_BATCH_MS);
    const { add, batches, end } = batching();
    await add([1]);
    runOut();
    await end();
    await add([2]);
    await add([3]);
    expect(batches).toEqual([[1], [2]]);
  });

  test('failure: a batch fails as a whole, and the next one runs', async () => {
    const { add, end } = batching(2);
    const results = await add([1, 2, 3]);
    await end('fail');
    await end();
    const settled = await Promise.allSettled(results);
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});

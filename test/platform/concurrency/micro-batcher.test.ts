import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { MicroBatcher } from '../../../src/platform/concurrency/micro-batcher.ts';

function counting(
  limits: { maxConcurrent: number; maxSize: number },
  fail?: (items: readonly number[]) => boolean,
) {
  const batches: (readonly number[])[] = [];
  const batcher = new MicroBatcher<number, number>(async (items) => {
    batches.push(items);
    await setTimeout(5);
    if (fail?.(items)) throw new Error(`batch of ${items.length}`);
    return items.map((item) => item * 10);
  }, limits);
  return { batcher, batches };
}

describe('MicroBatcher', () => {
  test('success: each item has its own result, whatever else is in its batch', async () => {
    const { batcher, batches } = counting({ maxConcurrent: 1, maxSize: 3 });
    const results = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => batcher.add(item)));
    expect(results).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(batches).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  test('success: a single item is not delayed to fill a batch', async () => {
    const { batcher, batches } = counting({ maxConcurrent: 2, maxSize: 8 });
    await batcher.add(1);
    await batcher.add(2);
    expect(batches).toEqual([[1], [2]]);
  });

  test('success: items that arrive while all places are taken become the next batch', async () => {
    const { batcher, batches } = counting({ maxConcurrent: 1, maxSize: 8 });
    const first = batcher.add(1);
    await setTimeout(1);
    await Promise.all([first, batcher.add(2), batcher.add(3)]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test('failure: a batch fails as a whole, and the next one runs', async () => {
    const { batcher } = counting({ maxConcurrent: 1, maxSize: 2 }, (items) => items.includes(1));
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await batcher.add(4)).toBe(40);
  });
});

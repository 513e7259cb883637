import { describe, expect, test } from 'vitest';
import { oneAhead } from '../../../src/platform/concurrency/one-ahead.ts';

describe('one item ahead', () => {
  test('success: all items in order, each prefetched while the previous one is used', async () => {
    const seen: string[] = [];
    async function* source() {
      for (const item of [1, 2, 3]) {
        seen.push(`made ${item}`);
        yield item;
      }
    }
    for await (const item of oneAhead(source())) {
      await Promise.resolve();
      seen.push(`used ${item}`);
    }
    expect(seen).toEqual(['made 1', 'made 2', 'used 1', 'made 3', 'used 2', 'used 3']);
  });

  test('success: a reader that stops ends the source, also while it produces the next item', async () => {
    let isEnded = false;
    async function* source() {
      try {
        for (let item = 1; ; item++) yield item;
      } finally {
        isEnded = true;
      }
    }
    for await (const item of oneAhead(source())) if (item === 2) break;
    expect(isEnded).toBe(true);
  });

  test('failure: an error is thrown after the items before it, and ignored if the item is not read', async () => {
    async function* source() {
      yield 1;
      throw new Error('no second item');
    }
    const used: number[] = [];
    const reading = async () => {
      for await (const item of oneAhead(source())) used.push(item);
    };
    await expect(reading()).rejects.toThrow('no second item');
    expect(used).toEqual([1]);
    for await (const _ of oneAhead(source())) break;
  });
});

import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Gathering } from '../../src/platform/gathering.ts';

function counting(limits: { atOnce: number; largest: number }, fail?: (items: readonly number[]) => boolean) {
  const batches: (readonly number[])[] = [];
  const gathering = new Gathering<number, number>(async (items) => {
    batches.push(items);
    await setTimeout(5);
    if (fail?.(items)) throw new Error(`batch of ${items.length}`);
    return items.map((item) => item * 10);
  }, limits);
  return { gathering, batches };
}

describe('Gathering', () => {
  test('success: each item has its own result, whoever it came with', async () => {
    const { gathering, batches } = counting({ atOnce: 1, largest: 3 });
    const results = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => gathering.add(item)));
    expect(results).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(batches).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  });

  test('success: an item that comes alone goes alone, without waiting', async () => {
    const { gathering, batches } = counting({ atOnce: 2, largest: 8 });
    await gathering.add(1);
    await gathering.add(2);
    expect(batches).toEqual([[1], [2]]);
  });

  test('success: what comes while the places are taken becomes the next batch', async () => {
    const { gathering, batches } = counting({ atOnce: 1, largest: 8 });
    const first = gathering.add(1);
    await setTimeout(1);
    await Promise.all([first, gathering.add(2), gathering.add(3)]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test('failure: a batch fails as a whole, and the next one is carried out', async () => {
    const { gathering } = counting({ atOnce: 1, largest: 2 }, (items) => items.includes(1));
    const results = await Promise.allSettled([1, 2, 3].map((item) => gathering.add(item)));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(await gathering.add(4)).toBe(40);
  });
});

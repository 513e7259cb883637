import { describe, expect, test } from 'vitest';
import { takeBatches } from '../../../src/registry/lifecycle/take-batches.ts';

const FULL = 3;

/** Takes by turns what is listed, each after the others that were begun with it, and counts how many run at once. */
function taker(...batches: readonly (number | Error)[]) {
  const left = [...batches];
  const seen = { calls: 0, atOnce: 0, most: 0 };
  const takeSome = async () => {
    seen.calls += 1;
    seen.most = Math.max(seen.most, ++seen.atOnce);
    await Promise.resolve();
    seen.atOnce -= 1;
    const taken = left.shift() ?? 0;
    if (taken instanceof Error) throw taken;
    return taken;
  };
  return { seen, takeSome };
}

describe('batches of what is due', () => {
  test('success: less than a batch is taken alone', async () => {
    const { seen, takeSome } = taker(2, FULL);
    expect(await takeBatches(takeSome, FULL)).toBe(2);
    expect(seen).toMatchObject({ calls: 1, most: 1 });
  });

  test('success: after a full one two run side by side, each until it is not full', async () => {
    const { seen, takeSome } = taker(FULL, FULL, FULL, FULL, 1, 0);
    expect(await takeBatches(takeSome, FULL)).toBe(FULL);
    expect(seen).toMatchObject({ calls: 6, most: 2 });
  });

  test('refusal: the failure of one is thrown when the other has ended', async () => {
    const failure = new Error('the database is away');
    const { seen, takeSome } = taker(FULL, failure, FULL, FULL, 0);
    await expect(takeBatches(takeSome, FULL)).rejects.toBe(failure);
    expect(seen).toMatchObject({ calls: 5, atOnce: 0 });
  });
});

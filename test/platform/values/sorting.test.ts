import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sortCooperatively } from '../../../src/platform/values/sorting.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('sorting in slices', () => {
  test('success: the same as sorting at once, whatever the texts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: anyCharacter, maxLength: 4 }), { maxLength: 50 }),
        async (texts) => {
          expect(await sortCooperatively(texts)).toEqual(texts.toSorted());
        },
      ),
    );
  });

  test.each([4_096, 4_097, 30_000])('success: %i texts, some of them twice', async (count) => {
    const texts = Array.from({ length: count }, (_, index) => `name-${(index * 7_919) % (count - 100)}.ee`);
    expect(await sortCooperatively(texts)).toEqual(texts.toSorted());
  });

  test('success: other tasks run meanwhile', async () => {
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 0);
    await sortCooperatively(
      Array.from({ length: 100_000 }, (_, index) => `name-${(index * 7_919) % 99_991}.ee`),
    );
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
  });
});

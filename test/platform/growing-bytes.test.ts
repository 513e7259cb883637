import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingBytes } from '../../src/platform/growing-bytes.ts';

const KIB = 1_024;
const filled = (length: number, value: number): Buffer => Buffer.allocUnsafeSlow(length).fill(value);

test('success: what was appended is taken in its order, however it is divided and whatever is expected', () => {
  const cases = fc.tuple(
    fc.array(fc.tuple(fc.integer({ min: 1, max: 40 * KIB }), fc.integer({ min: 0, max: 40 * KIB })), {
      maxLength: 20,
    }),
    fc.nat(200 * KIB),
  );
  fc.assert(
    fc.property(cases, ([steps, expected]) => {
      const bytes = new GrowingBytes();
      let kept = Buffer.alloc(0);
      for (const [index, [appended, taken]] of steps.entries()) {
        kept = Buffer.concat([kept, filled(appended, index)]);
        bytes.append(filled(appended, index), expected);
        expect(bytes.length).toBe(kept.length);
        const count = Math.min(taken, bytes.length);
        expect(bytes.take(count).equals(kept.subarray(0, count))).toBe(true);
        bytes.releaseTaken();
        kept = kept.subarray(count);
      }
      expect(bytes.take(bytes.length).equals(kept)).toBe(true);
    }),
    { seed: 5, numRuns: 200 },
  );
});

test('success: pieces are empty once they are copied, and what was taken once it is released', () => {
  const bytes = new GrowingBytes();
  const pieces = [filled(64 * KIB, 1), filled(64 * KIB, 2), filled(64 * KIB, 3)];
  for (const piece of pieces) bytes.append(piece);
  expect(pieces.map(({ length }) => length)).toEqual([0, 0, 0]);
  const taken = bytes.take(192 * KIB);
  expect([taken[0], taken.at(-1)]).toEqual([1, 3]);
  bytes.releaseTaken();
  expect(taken.length).toBe(0);
});

test('success: what is cleared is released, and what was taken before is not', () => {
  const bytes = new GrowingBytes();
  bytes.append(filled(64 * KIB, 1));
  const taken = bytes.take(64 * KIB);
  const piece = filled(64 * KIB, 2);
  bytes.append(piece);
  bytes.clear();
  expect([taken.length, piece.length, bytes.length]).toEqual([64 * KIB, 0, 0]);
});

test('success: memory that others see, too, is left to them', () => {
  const shared = filled(128 * KIB, 1);
  const bytes = new GrowingBytes();
  bytes.append(shared.subarray(0, 64 * KIB));
  bytes.append(shared.subarray(64 * KIB));
  bytes.clear();
  expect(shared.length).toBe(128 * KIB);

  bytes.append(filled(64 * KIB, 2));
  const [first, second] = [bytes.take(32 * KIB), bytes.take(16 * KIB)];
  bytes.releaseTaken();
  bytes.clear();
  expect([first.length, second.length]).toEqual([32 * KIB, 16 * KIB]);
});

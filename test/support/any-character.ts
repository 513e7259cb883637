import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;
const LAST = 0x10ffff;

/**
 * Every code point but surrogates, as the unit 'binary' of fast-check: the same values in the same order. That one makes
 * a table of them all before its first string, which takes a second or more of each worker.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: LAST - SURROGATES })
  .map((place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES), placeOf);

/** The way back, which fast-check needs for strings such as `__proto__` that it mixes in. */
function placeOf(value: unknown): number {
  const point = typeof value === 'string' ? (value.codePointAt(0) ?? -1) : -1;
  const isSurrogate = point >= FIRST_SURROGATE && point < FIRST_SURROGATE + SURROGATES;
  if (point < 0 || isSurrogate || value !== String.fromCodePoint(point)) throw new Error('no character');
  return point < FIRST_SURROGATE ? point : point - SURROGATES;
}

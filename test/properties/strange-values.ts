import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';

const NUL = '\u0000';
const LONE_SURROGATE = '\ud800';
/** Texts that some layer may mishandle. */
export const strangeText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    '',
    ' ',
    NUL,
    `a${NUL}b`,
    LONE_SURROGATE,
    `${LONE_SURROGATE}x`,
    '__proto__',
    'constructor',
    '0',
    '-1',
  ),
  fc.constantFrom(
    'true',
    'null',
    '1e309',
    '<b>',
    "' or 1=1 --",
    '\u202e',
    '\ufeff',
    'İ'.repeat(255),
    'x'.repeat(256),
  ),
  fc.integer({ min: 1, max: 60_000 }).map((length) => 'õ'.repeat(length)),
);
const DEEP = 100_000;
const deep = fc.constantFrom('DEEP-LIST', 'DEEP-OBJECT');
export const junk = fc.oneof(
  { weight: 6, arbitrary: strangeText },
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter }) },
  { weight: 1, arbitrary: deep },
);
/** Mostly the valid value, sometimes an arbitrary one. */
export const mostly = <T>(valid: fc.Arbitrary<T>, weight = 5) =>
  fc.oneof({ weight, arbitrary: valid as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: junk });

/** Keys and depths that JSON.stringify would not write stand for themselves until here. */
export function toJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null')
    .replaceAll('"PROTO":', '"__proto__":')
    .replaceAll('"DEEP-LIST"', `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`)
    .replaceAll('"DEEP-OBJECT"', `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`);
}

/** A piece of a path or query, well or badly escaped. */
export const escaped = fc.oneof(
  strangeText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 3000)),
  fc.constantFrom(
    '%00',
    '%zz',
    '%ff',
    '%ed%a0%80',
    '..%2f..',
    '%2e%2e',
    'a%2fb',
    '%',
    '+',
    'a'.repeat(1100),
    'check',
  ),
);
/** Any header value. */
export const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((n) => n !== 0x7f)
    .map((n) => String.fromCharCode(n)),
  maxLength: 300,
});

import { expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { whyInvalid } from '../../../src/registry/names/invalid-name.ts';
import { parseDomainName } from '../../../src/registry/names/name.ts';

const ZONES = 'the zones are ee, com.ee, pri.ee, fie.ee, med.ee';
const HYPHENS = 'a label neither begins nor ends with a hyphen';
const LENGTH = 'a label has at most 63 characters, counted in punycode';
const strange = (list: string) => `it has characters that are not allowed here: ${list}`;

test.each([
  ['example', `it names no zone; ${ZONES}`],
  ['example.lv', `"lv" is not a zone of this registry; ${ZONES}`],
  ['a.unknown.ee', `it has more than one label before ee; ${ZONES}`],
  ['a.b.com.ee', `it has more than one label before com.ee; ${ZONES}`],
  ['.ee', 'it begins or ends with a dot, or has two in a row'],
  ['example.ee.', 'it begins or ends with a dot, or has two in a row'],
  ['-a.ee', HYPHENS],
  ['a-.com.ee', HYPHENS],
  ['ab--c.ee', 'a label has no hyphens in both its third and its fourth place'],
  ['xn--a.ee', '"xn--a" is not valid punycode'],
  ['xn--zz.ee', '"xn--zz" is not valid punycode'],
  ['a_b.ee', strange('"_"')],
  ['A B!.ee', strange('" ", "!"')],
  ['кафе.ee', strange('"к", "а", "ф", "е"')],
  ['straße.ee', strange('"ß"')],
  ['xn--caf-dma.ee', strange('"é"')],
  ['exam\u00ADple.ee', strange('"\\u{ad}"')],
  ['ｅxample.ee', strange('"ｅ"')],
  ['абвгдежз.ee', strange('"а", "б", "в", "г", "д" and others')],
  [`${'x'.repeat(64)}.ee`, LENGTH],
  [`${'ä'.repeat(60)}.ee`, LENGTH],
  ['x'.repeat(300), 'it has more than 255 characters'],
  [`a${'\u0308'.repeat(20)}.ee`, 'a letter of it has too many combining marks'],
])('success: %s: %s', (text, reason) => {
  expect(parseDomainName(text, ee)).toBeUndefined();
  expect(whyInvalid(text, ee)).toBe(reason);
});

import fc from 'fast-check';
import { toASCII, toUnicode } from 'tr46';
import { describe, expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { domainNameOf, parseByTable, parseDomainName, parseIdn } from '../../../src/registry/names/name.ts';

const label = fc.string({
  unit: fc.constantFrom(...'abxn019-õß.'),
  minLength: 1,
  maxLength: 66,
});
const names = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.'));

describe('parseIdn', () => {
  test('the fast path for ASCII names agrees with the tables', () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(parseIdn(name)).toEqual(parseByTable(name.trim().normalize('NFC').toLowerCase()));
      }),
      { numRuns: process.env.TORTURE ? 3000 : 1000 },
    );
  });

  test.each([
    'example.ee',
    'a.ee',
    'xn--hkanen-bua.ee',
    'ab--cd.ee',
    '-a.ee',
    'a-.ee',
    'a..ee',
    '.ee',
    'ee',
    `${'a'.repeat(63)}.ee`,
    `${'a'.repeat(64)}.ee`,
    `${`${'a'.repeat(63)}.`.repeat(3)}${'b'.repeat(61)}`,
    `${`${'a'.repeat(63)}.`.repeat(3)}${'b'.repeat(62)}`,
  ])('both ways agree about %s', (name) => {
    expect(parseIdn(name)).toEqual(parseByTable(name));
  });
});

const STRICT = {
  checkBidi: true,
  checkHyphens: true,
  checkJoiners: true,
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
};
const zones = ['ee', 'com.ee', 'õ.ee', toASCII('õ.ee') ?? '', 'lv', 'ß.ee'];
const [zone] = ee.zones;
const policy = { ...ee, zones: zone ? ['ee', 'com.ee', 'õ.ee'].map((origin) => ({ ...zone, origin })) : [] };
const mixed = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'ab0-õäšßİſ日א٣\u0301\u200d.'), minLength: 1, maxLength: 20 }),
    fc.constantFrom(...zones),
    fc.boolean(),
  )
  .map(([text, origin, isPunycode]) => `${(isPunycode ? toASCII(text) : text) ?? text}.${origin}`);

describe('names that are not plain', () => {
  test('a name that is mapped to itself is the same by both tables', () => {
    fc.assert(
      fc.property(mixed, (name) => {
        const written = name.normalize('NFC').toLowerCase();
        const ascii = toASCII(written, STRICT);
        const { domain: unicode, error } = toUnicode(ascii ?? '', STRICT);
        const isKept = ascii !== null && !error && (written === unicode || written === ascii);
        expect(parseByTable(written)).toEqual(isKept ? { unicode, ascii } : undefined);
      }),
      { numRuns: process.env.TORTURE ? 30_000 : 1_000 },
    );
  });

  test('what is refused before the tables are read is refused by them too', () => {
    fc.assert(
      fc.property(mixed, (name) => {
        expect(parseDomainName(name, policy)).toEqual(domainNameOf(parseIdn(name), policy));
      }),
      { numRuns: process.env.TORTURE ? 30_000 : 1_000 },
    );
  });
});

import { expect, test } from 'vitest';
import { ee } from '../../../../src/policy/ee.ts';
import {
  type DnsKey,
  delegationSigner,
  parseDnsKey,
  parseNewDnsKey,
} from '../../../../src/registry/domains/rules/dnssec-keys.ts';

/** Keys and their delegation signer records as the RFCs print them. */
const VECTORS: readonly [string, string, DnsKey, number, string][] = [
  [
    'RFC 4034, 5.4 and RFC 4509, 2.3 (algorithm 5)',
    'dskey.example.com',
    {
      flags: 256,
      protocol: 3,
      alg: 5,
      publicKey:
        'AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvxegXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==',
    },
    60485,
    'D4B7D520E7BB5F0F67674A0CCEB1E3E0614B93C4F9E99B8383F6A1E4469DA50A',
  ],
  [
    'RFC 6605, 6.1 (algorithm 13)',
    'example.net',
    {
      flags: 257,
      protocol: 3,
      alg: 13,
      publicKey: 'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
    },
    55648,
    'B4C8C1FE2E7477127B27115656AD6256F424625BF5C1E2770CE6D6E37DF61D17',
  ],
  [
    'RFC 8080, 6.1 (algorithm 15)',
    'example.com',
    { flags: 257, protocol: 3, alg: 15, publicKey: 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=' },
    3613,
    '3AA5AB37EFCE57F737FC1627013FEE07BDF241BD10F3B1964AB55C78E79A304B',
  ],
  [
    'RFC 8080, 6.2 (algorithm 16)',
    'example.com',
    {
      flags: 257,
      protocol: 3,
      alg: 16,
      publicKey: '3kgROaDjrh0H2iuixWBrc8g2EpBBLCdGzHmn+G2MpTPhpj/OiBVHHSfPodx1FYYUcJKm1MDpJtIA',
    },
    9713,
    '6CCF18D5BC5D7FC2FCEB1D59D17321402F2AA8D368048DB93DD811F5CB2B19C7',
  ],
];

test.each(VECTORS)('success: %s', (_source, name, key, keyTag, digest) => {
  expect(delegationSigner(key, name)).toEqual({ keyTag, digestType: 2, digest });
});

test('success: the owner name counts in lower case and punycode', () => {
  const [, , key] = VECTORS[1] ?? expect.fail();
  expect(delegationSigner(key, 'EXAMPLE.NET')).toEqual(delegationSigner(key, 'example.net'));
  expect(delegationSigner(key, 'xn--nide-loa.ee')).not.toEqual(delegationSigner(key, 'naide.ee'));
});

const key = (changes: object) => ({
  flags: '257',
  protocol: '3',
  alg: '13',
  publicKey: VECTORS[1]?.[2].publicKey ?? '',
  ...changes,
});
const fields = (changes: object, parse = parseNewDnsKey) => {
  const parsed = parse(key(changes), ['dnsKeys', 0], ee);
  return 'refusals' in parsed ? parsed.refusals.map(({ code, at }) => [code, at?.at(-1)]) : 'taken';
};

test('success: numbers as texts or numbers, keys with white space', () => {
  expect(fields({})).toBe('taken');
  expect(fields({ flags: 256, protocol: 3, alg: 13 })).toBe('taken');
  expect(fields({ publicKey: ` ${VECTORS[1]?.[2].publicKey.replace('7', '7\n')}` })).toBe('taken');
});

test.each([
  [{ flags: '0' }, [[2005, 'flags']]],
  [{ flags: 255 }, [[2005, 'flags']]],
  [{ protocol: '2' }, [[2005, 'protocol']]],
  [{ alg: 1 }, [[2005, 'alg']]],
  [{ alg: 'RSASHA256' }, [[2005, 'alg']]],
  [{ publicKey: '' }, [[2003, 'publicKey']]],
  [{ publicKey: 'not base64!' }, [[2005, 'publicKey']]],
  [
    { flags: undefined, alg: '' },
    [
      [2003, 'flags'],
      [2003, 'alg'],
    ],
  ],
])('failure: %j', (changes, expected) => {
  expect(fields(changes)).toEqual(expected);
});

test('failure: a key longer than any, of which no blank is looked for', () => {
  const publicKey = 'A '.repeat(2_049);
  expect(fields({ publicKey })).toEqual([[2005, 'publicKey']]);
  // Its removal overflowed the stack, after a second.
  expect(fields({ publicKey: publicKey.repeat(3_000) })).toEqual([[2005, 'publicKey']]);
});

const bytes = (length: number) => Buffer.alloc(length, 7);
/** RFC 3110: the length of the exponent, the exponent, the modulus. */
const rsa = (exponent: number[], modulus: Buffer, head = [exponent.length]) =>
  Buffer.concat([Buffer.from([...head, ...exponent]), modulus]);
const modulus = (bits: number, { last = 1 } = {}) => {
  const number = Buffer.alloc(Math.ceil(bits / 8), 7);
  number[0] = 1 << ((bits - 1) % 8);
  number[number.length - 1] = last;
  return number;
};
const F4 = [1, 0, 1];
const given = (alg: number, material: Buffer, parse?: typeof parseDnsKey) =>
  fields({ alg, publicKey: material.toString('base64') }, parse);

test.each([
  [13, bytes(64)],
  [14, bytes(96)],
  [15, bytes(32)],
  [16, bytes(57)],
  [5, rsa([3], modulus(1_024))],
  [8, rsa(F4, modulus(2_048))],
  [10, rsa([1, 0, 0, 0, 1], modulus(4_096))],
  [7, rsa(F4, modulus(1_024), [0, 0, 3])],
  [3, Buffer.concat([Buffer.from([8]), bytes(20 + 3 * 128)])],
])('success: a key of algorithm %i', (alg, material) => {
  expect(given(alg, material)).toBe('taken');
});

test.each<[string, number, Buffer]>([
  ['a byte short', 13, bytes(63)],
  ['a byte long', 13, bytes(65)],
  ['of another algorithm', 14, bytes(64)],
  ['of another algorithm', 15, bytes(57)],
  ['of another algorithm', 16, bytes(32)],
  ['of another algorithm', 8, bytes(64)],
  ['without a modulus', 8, rsa(F4, Buffer.alloc(0))],
  ['with a modulus too short', 8, rsa(F4, modulus(1_023))],
  ['with a modulus too long', 8, rsa(F4, modulus(4_097))],
  ['with an even modulus', 8, rsa(F4, modulus(2_048, { last: 2 }))],
  ['with a modulus that begins with zero', 8, rsa(F4, Buffer.concat([Buffer.alloc(1), modulus(2_048)]))],
  ['with the exponent 1', 8, rsa([1], modulus(2_048))],
  ['with an even exponent', 8, rsa([1, 0, 0], modulus(2_048))],
  ['without an exponent', 8, rsa([], modulus(2_048), [0, 0, 0])],
  ['with an exponent too long', 8, rsa([1, 0, 0, 0, 0, 0, 0, 0, 1], modulus(2_048))],
  ['cut in the exponent', 8, Buffer.from([3, 1])],
  ['of one byte', 8, Buffer.from([0])],
  ['cut', 3, bytes(100)],
])('failure: a key %s, algorithm %i', (_what, alg, material) => {
  expect(given(alg, material)).toEqual([[2005, 'publicKey']]);
  // An invalid key that was stored before can still be named for removal.
  expect(given(alg, material, parseDnsKey)).toBe('taken');
});

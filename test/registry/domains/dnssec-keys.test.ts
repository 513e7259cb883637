import { expect, test } from 'vitest';
import { ee } from '../../../src/policy/ee.ts';
import { type DnsKey, delegationSigner, parseDnsKey } from '../../../src/registry/domains/dnssec-keys.ts';

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
  public_key: VECTORS[1]?.[2].publicKey ?? '',
  ...changes,
});
const fields = (changes: object) => {
  const parsed = parseDnsKey(key(changes), 'k', ee);
  return 'refusals' in parsed ? parsed.refusals.map(({ code, field }) => [code, field]) : 'taken';
};

test('success: numbers come as texts or numbers, keys with white space', () => {
  expect(fields({})).toBe('taken');
  expect(fields({ flags: 256, protocol: 3, alg: 13 })).toBe('taken');
  expect(fields({ public_key: ` ${VECTORS[1]?.[2].publicKey.replace('7', '7\n')}` })).toBe('taken');
});

test.each([
  [{ flags: '0' }, [[2005, 'k.flags']]],
  [{ flags: 255 }, [[2005, 'k.flags']]],
  [{ protocol: '2' }, [[2005, 'k.protocol']]],
  [{ alg: 1 }, [[2005, 'k.alg']]],
  [{ alg: 'RSASHA256' }, [[2005, 'k.alg']]],
  [{ public_key: '' }, [[2003, 'k.public_key']]],
  [{ public_key: 'not base64!' }, [[2005, 'k.public_key']]],
  [
    { flags: undefined, alg: '' },
    [
      [2003, 'k.flags'],
      [2003, 'k.alg'],
    ],
  ],
])('failure: %j', (changes, expected) => {
  expect(fields(changes)).toEqual(expected);
});

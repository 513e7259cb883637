import { describe, expect, test } from 'vitest';
import { parseDelegationSigners } from '../../src/commands/delegation-signers.ts';

const DIGEST = '647ab9'.padEnd(64, '0');
const ds = { keyTag: 9955, algorithm: 13, digestType: 2, digest: DIGEST.toUpperCase() };
const parse = (...texts: string[]) => parseDelegationSigners(texts, 'com.ee');

describe('delegation signers', () => {
  test.each([
    ['the data alone', [`9955 13 2 ${DIGEST}`]],
    ['a line of keymgr', [`com.ee. DS 9955 13 2 ${DIGEST}`]],
    ['without quotes', ['com.ee.', 'DS', '9955', '13', '2', DIGEST]],
    ['with TTL and class', [`com.ee. 3600 IN DS 9955 13 2 ${DIGEST}`]],
    ['the other way round', [`COM.EE IN 3600 ds 9955 13 2 ${DIGEST.toUpperCase()}`]],
    ['without a name', [`3600 IN DS 9955 13 2 ${DIGEST}`]],
    ['with a digest in parts', [`com.ee.\tDS 9955 13 2 ${DIGEST.slice(0, 56)} ${DIGEST.slice(56)}`]],
    ['twice', [`com.ee. DS 9955 13 2 ${DIGEST}\ncom.ee. DS 9955 13 2 ${DIGEST}`, `9955 13 2 ${DIGEST}`]],
  ])('success: %s', (_what, texts) => expect(parse(...texts)).toEqual([ds]));

  test('success: several, of several types', () => {
    expect(
      parse(`com.ee. DS 9955 13 2 ${DIGEST} com.ee. DS 9955 13 4 ${DIGEST.slice(0, 32)}${DIGEST}`),
    ).toEqual([ds, { ...ds, digestType: 4, digest: DIGEST.slice(0, 32).toUpperCase() + ds.digest }]);
    expect(parse()).toEqual([]);
  });

  test.each([
    ['another zone', `pri.ee. DS 9955 13 2 ${DIGEST}`, 'pri.ee. is not com.ee'],
    ['algorithm 0', `0 0 2 ${DIGEST}`, 'is no DS record'],
    ['digest type 0', '0 13 0 00', 'is no DS record'],
    ['a malformed key tag', `65536 13 2 ${DIGEST}`, 'is no DS record'],
    ['a short digest', '1 13 2 AB', 'is no DS record'],
    ['a long digest', `1 13 2 ${DIGEST}AB`, 'is no DS record'],
    ['a malformed digest', `1 13 2 ${'g'.repeat(64)}`, 'is no DS record'],
    ['an incomplete line', 'com.ee. DS', 'is no DS record'],
    ['a DNSKEY', 'com.ee. DNSKEY 257 3 13 GojIhhXUN', 'is no DS record'],
  ])('failure: %s', (_what, text, message) => expect(() => parse(text)).toThrow(message));
});

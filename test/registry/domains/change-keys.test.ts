import { describe, expect, test } from 'vitest';
import { addKeys, removeKeys } from '../../../src/registry/domains/change-keys.ts';
import { contextOf, type Found, foundDomain, refusalsOf, signedKey } from '../../support/decisions.ts';

const NAME = 'example.ee';

describe('DNSSEC keys of a domain', () => {
  const key = (publicKey: string, changes = {}) => ({ ...signedKey(publicKey), ...changes });
  const having = (...keys: string[]) => foundDomain({ dnsKeys: keys.map((one) => key(one)) });
  const add = (keys: string[], found = having('AAAA')) =>
    addKeys.decide(found, { name: NAME, keys: keys.map((one) => key(one)) }, contextOf());
  const remove = (...keys: ReturnType<typeof key>[]) =>
    removeKeys.decide(having('AAAA', 'BBBB'), { name: NAME, keys }, contextOf());
  const others = (count: number) => Array.from({ length: count }, (_, index) => `CCC${index}`);

  test.each<[string, () => unknown, Found]>([
    ['one that is there', () => add(['BBBB', 'AAAA']), ['dnsKeyTaken', 'dns_keys.1.public_key']],
    ['one twice', () => add(['BBBB', 'BBBB']), ['dnsKeyTaken', 'dns_keys.1.public_key']],
    ['ten in all', () => add(others(9)), ['tooMany', 'dns_keys']],
    ['removing an absent key', () => remove(key('AAAA'), key('DDDD')), ['dnsKeyMissing', 'dns_keys.1']],
    ['another flag', () => remove(key('AAAA', { flags: 256 })), ['dnsKeyMissing', 'dns_keys.0']],
    ['another protocol', () => remove(key('AAAA', { protocol: 2 })), ['dnsKeyMissing', 'dns_keys.0']],
    ['another algorithm', () => remove(key('AAAA', { alg: 15 })), ['dnsKeyMissing', 'dns_keys.0']],
  ])('failure: %s', (_what, decide, expected) => {
    expect(refusalsOf(decide)).toEqual([expected]);
  });

  test('success: nine in all; the named ones are removed', () => {
    expect(add(others(8)).after.dnsKeys).toHaveLength(9);
    expect(remove(key('AAAA')).after.dnsKeys.map(({ publicKey }) => publicKey)).toEqual(['BBBB']);
  });

  test('success: the record of a new key has the name of the domain in it', () => {
    const digests = ['a.ee', 'b.ee'].map(
      (name) => add(['BBBB'], foundDomain({ name })).after.dnsKeys.at(-1)?.digest,
    );
    expect(digests).toEqual([
      expect.stringMatching(/^[0-9A-F]{64}$/),
      expect.stringMatching(/^[0-9A-F]{64}$/),
    ]);
    expect(new Set(digests).size).toBe(2);
  });
});

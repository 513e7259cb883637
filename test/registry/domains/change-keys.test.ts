import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../src/registry/domains/domain.ts';
import { type Found, refusalsOf, signedKey, updateOf } from '../../support/decisions.ts';

describe('DNSSEC keys of a domain', () => {
  const key = (publicKey: string, changes = {}) => ({ ...signedKey(publicKey), ...changes });
  const having = (...keys: string[]) => ({ dnsKeys: keys.map((one) => key(one)) });
  const add = (keys: string[], domain: Partial<Domain> = having('AAAA')) =>
    updateOf(domain, { add: { keys: keys.map((one) => key(one)) } });
  const remove = (...keys: ReturnType<typeof key>[]) =>
    updateOf(having('AAAA', 'BBBB'), { remove: { keys } });
  const others = (count: number) => Array.from({ length: count }, (_, index) => `CCC${index}`);

  test.each<[string, () => unknown, Found]>([
    ['one that is there', () => add(['BBBB', 'AAAA']), ['dnsKeyTaken', 'add.dnsKeys.1.publicKey']],
    ['one twice', () => add(['BBBB', 'BBBB']), ['dnsKeyTaken', 'add.dnsKeys.1.publicKey']],
    ['ten in all', () => add(others(9)), ['tooMany', 'dnsKeys']],
    ['removing an absent key', () => remove(key('AAAA'), key('DDDD')), ['dnsKeyMissing', 'remove.dnsKeys.1']],
    ['another flag', () => remove(key('AAAA', { flags: 256 })), ['dnsKeyMissing', 'remove.dnsKeys.0']],
    ['another protocol', () => remove(key('AAAA', { protocol: 2 })), ['dnsKeyMissing', 'remove.dnsKeys.0']],
    ['another algorithm', () => remove(key('AAAA', { alg: 15 })), ['dnsKeyMissing', 'remove.dnsKeys.0']],
  ])('failure: %s', (_what, decide, expected) => {
    expect(refusalsOf(decide)).toEqual([expected]);
  });

  test('success: nine in all; the named ones are removed', () => {
    expect(add(others(8)).after.dnsKeys).toHaveLength(9);
    expect(remove(key('AAAA')).after.dnsKeys.map(({ publicKey }) => publicKey)).toEqual(['BBBB']);
  });

  test('success: the record of a new key has the name of the domain in it', () => {
    const digests = ['a.ee', 'b.ee'].map((name) => add(['BBBB'], { name }).after.dnsKeys.at(-1)?.digest);
    expect(digests).toEqual([
      expect.stringMatching(/^[0-9A-F]{64}$/),
      expect.stringMatching(/^[0-9A-F]{64}$/),
    ]);
    expect(new Set(digests).size).toBe(2);
  });
});

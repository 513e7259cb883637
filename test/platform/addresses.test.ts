import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressMatcher, normaliseAddress, parseAddressRange } from '../../src/platform/addresses.ts';

describe('one address', () => {
  test('success: an IPv4 address inside an IPv6 one is the IPv4 address, and a zone is no part of it', () => {
    expect(normaliseAddress('::ffff:10.0.0.1')).toBe('10.0.0.1');
    expect(normaliseAddress('::FFFF:10.0.0.1')).toBe('10.0.0.1');
    expect(normaliseAddress('fe80::1%eth0')).toBe('fe80::1');
    expect(normaliseAddress('2001:db8::1')).toBe('2001:db8::1');
  });
});

describe('ranges', () => {
  test('success: a single address is a range of one', () => {
    expect(parseAddressRange('10.0.0.1')).toEqual({ address: '10.0.0.1', prefix: 32, family: 'ipv4' });
    expect(parseAddressRange('::1')).toEqual({ address: '::1', prefix: 128, family: 'ipv6' });
    expect(parseAddressRange('10.0.0.0/8')).toEqual({ address: '10.0.0.0', prefix: 8, family: 'ipv4' });
    expect(parseAddressRange('::/0')).toEqual({ address: '::', prefix: 0, family: 'ipv6' });
  });

  test.each([
    '',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    'localhost',
    '10.0.0.0/1e1',
  ])('failure: %j is none', (text) => {
    expect(parseAddressRange(text)).toBeUndefined();
  });
});

describe('matching', () => {
  test('success: exactly the addresses inside, at both edges', () => {
    const matches = addressMatcher(['10.1.0.0/16', '2001:db8::/32', '192.0.2.7']);
    for (const inside of ['10.1.0.0', '10.1.255.255', '::ffff:10.1.2.3', '2001:db8:ffff::1', '192.0.2.7'])
      expect([inside, matches(inside)]).toEqual([inside, true]);
    for (const outside of [
      '10.0.255.255',
      '10.2.0.0',
      '2001:db9::',
      '192.0.2.8',
      '::ffff:10.2.0.0',
      'nonsense',
      '',
    ])
      expect([outside, matches(outside)]).toEqual([outside, false]);
  });

  test('success: an empty list matches nobody', () => {
    fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => !addressMatcher([])(address)));
  });

  test('success: every address is inside every range around it, and outside the others', () => {
    const number = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, other, prefix) => {
        const size = 2 ** (32 - prefix);
        const expected = Math.floor(number(address) / size) === Math.floor(number(other) / size);
        const matches = addressMatcher([`${address}/${prefix}`]);
        return matches(address) && matches(`::ffff:${address}`) && matches(other) === expected;
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressBucket,
  addressMatcher,
  networkBucket,
  normaliseAddress,
  parseAddressRange,
} from '../../../src/platform/values/ip-addresses.ts';

describe('one address', () => {
  test('success: an IPv4 address inside an IPv6 one is the IPv4 address, and a zone is no part of it', () => {
    expect(normaliseAddress('::ffff:10.0.0.1')).toBe('10.0.0.1');
    expect(normaliseAddress('::FFFF:10.0.0.1')).toBe('10.0.0.1');
    expect(normaliseAddress('fe80::1%eth0')).toBe('fe80::1');
    expect(normaliseAddress('2001:db8::1')).toBe('2001:db8::1');
  });
});

describe('the key under which a client is counted', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8::/64'],
    ['2001:db8:0:0:1::', '2001:db8::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['::1', '::/64'],
    ['::192.0.2.7', '::/64'],
    ['nonsense', 'nonsense'],
    ['', ''],
  ])('success: %j is counted as %j', (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });

  test.each([
    ['192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8::/48'],
    ['::1', '::/48'],
    ['nonsense', 'nonsense'],
  ])('success: %j is in the network %j', (address, bucket) => {
    expect(networkBucket(address)).toBe(bucket);
  });

  test('success: two IPv6 addresses share a key exactly when they share their first 64 bits', () => {
    const group = fc.constantFrom('0', '1', 'db8', 'ffff', '2001');
    const groups = fc.array(group, { minLength: 8, maxLength: 8 });
    // Addresses that carry an IPv4 address are the exception: four zeros, and then perhaps ffff in the sixth group.
    const native = groups.filter((parts) => parts.slice(0, 4).some((part) => part !== '0'));
    fc.assert(
      fc.property(native, native, (one, other) => {
        const same = one.slice(0, 4).join(':') === other.slice(0, 4).join(':');
        return (addressBucket(one.join(':')) === addressBucket(other.join(':'))) === same;
      }),
    );
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
  ])('failure: %j is no range', (text) => {
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

  test('success: an empty list matches no address', () => {
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

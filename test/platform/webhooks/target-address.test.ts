import { describe, expect, test } from 'vitest';
import {
  checkTargetUrl,
  isAllowedTarget,
  isPublicAddress,
} from '../../../src/platform/webhooks/target-address.ts';

const PRODUCTION = { allowedNetworks: [], allowsLoopback: false };
const SANDBOX = { allowedNetworks: [], allowsLoopback: true };
const EXCEPTION = { allowedNetworks: ['10.1.0.0/16', 'fd00:1::/32'], allowsLoopback: false };

describe('addresses', () => {
  test.each([
    '8.8.8.8',
    '193.40.56.1',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450:400f::1',
    '2001:200::1',
  ])('success: %s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
    expect(isAllowedTarget(address, PRODUCTION)).toBe(true);
  });

  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1111%eth0',
    'fec0::1',
    'ff02::1',
    '',
    'localhost',
    '2130706433',
    '0x7f.1',
  ])('failure: %s is not', (address) => {
    expect(isAllowedTarget(address, PRODUCTION)).toBe(false);
  });

  test('success: exceptions of an operator or a sandbox, also mapped to IPv6', () => {
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00:1::5'])
      expect(isAllowedTarget(address, EXCEPTION)).toBe(true);
    for (const address of ['10.2.0.1', '127.0.0.1', '::1', 'fd00:2::5'])
      expect(isAllowedTarget(address, EXCEPTION)).toBe(false);
    for (const address of ['127.0.0.1', '127.9.9.9', '::1'])
      expect(isAllowedTarget(address, SANDBOX)).toBe(true);
    for (const address of ['10.1.2.3', '169.254.169.254'])
      expect(isAllowedTarget(address, SANDBOX)).toBe(false);
  });
});

describe('URLs', () => {
  test.each([
    ['https://shop.example/events', PRODUCTION],
    ['https://shop.example:443/events?token=x', PRODUCTION],
    ['https://xn--pood-0qa.ee/', PRODUCTION],
    ['https://10.1.2.3:8443/', EXCEPTION],
    ['https://hooks.internal.example:8443/', EXCEPTION],
    ['http://127.0.0.1:9000/', SANDBOX],
    ['http://localhost:9000/', SANDBOX],
    ['http://[::1]:9000/', SANDBOX],
  ] as const)('success: %s', (url, rules) => {
    expect(checkTargetUrl(url, rules)).toBeUndefined();
  });

  test.each([
    '',
    'shop.example',
    '//shop.example/',
    'https://',
    `https://shop.example/${'a'.repeat(2000)}`,
    'http://shop.example/',
    'ftp://shop.example/',
    'file:///etc/passwd',
    'gopher://shop.example/',
    'https://user@shop.example/',
    'https://user:word@shop.example/',
    'https://shop.example/#a',
    'https://shop.example:8443/',
    'https://shop.example:22/',
    'https://shop/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://8.8.8.8/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[2606:4700::1111]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://sh op.example/',
    'https://shop.example/\r\nx: y',
    'https://shop.example./',
    'https://[fe80::1%25eth0]/',
  ])('failure: %j in production', (url) => {
    expect(checkTargetUrl(url, PRODUCTION)).toBeTypeOf('string');
  });

  test.each([
    'http://10.0.0.1/',
    'http://shop.example/',
    'https://169.254.169.254/',
    'http://169.254.169.254/',
  ])('failure: %s in a sandbox', (url) => {
    expect(checkTargetUrl(url, SANDBOX)).toBeTypeOf('string');
  });
});

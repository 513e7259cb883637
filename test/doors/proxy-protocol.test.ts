import { expect, test } from 'vitest';
import { InvalidProxyHeader, parseProxyHeader } from '../../src/doors/proxy-protocol.ts';
import { proxyHeader } from '../support/epp-peer.ts';

const TCP4 = '0a000001' + '7f000001' + '3039' + '02bc';
const ipv6 = (source: string): string => `${source}${'00'.repeat(16)}303902bc`;

test.each([
  ['TCP over IPv4', proxyHeader(0x21, 0x11, TCP4), '10.0.0.1'],
  ['TCP over IPv6', proxyHeader(0x21, 0x21, ipv6('20010db8000000000000000000000001')), '2001:db8::1'],
  ['a mapped IPv4 address', proxyHeader(0x21, 0x21, ipv6(`${'00'.repeat(10)}ffff0a000001`)), '10.0.0.1'],
  ['extensions', proxyHeader(0x21, 0x11, `${TCP4}040003aabbcc`), '10.0.0.1'],
  ['a health check', proxyHeader(0x20, 0x00, ''), undefined],
  ['a health check with addresses', proxyHeader(0x20, 0x11, TCP4), undefined],
  ['an unspecified protocol', proxyHeader(0x21, 0x00, ''), undefined],
])('success: %s; what follows is not part of it', (_, header, address) => {
  expect(parseProxyHeader(Buffer.concat([header, Buffer.from('more')]))).toEqual({
    address,
    bytes: header.length,
  });
});

test('success: an incomplete header is not parsed yet', () => {
  const header = proxyHeader(0x21, 0x11, `${TCP4}040003aabbcc`);
  for (let length = 0; length < header.length; length += 1)
    expect(parseProxyHeader(header.subarray(0, length))).toBeUndefined();
});

test.each([
  ['version 1', Buffer.from('PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n')],
  ['a TLS handshake', Buffer.from([0x16, 0x03, 0x01])],
  ['a later version', proxyHeader(0x31, 0x11, TCP4)],
  ['an unknown command', proxyHeader(0x22, 0x11, TCP4)],
  ['UDP', proxyHeader(0x21, 0x12, TCP4)],
  ['a Unix socket', proxyHeader(0x21, 0x31, '00'.repeat(216))],
  ['too few bytes for an address', proxyHeader(0x21, 0x11, '0a000001')],
  ['too many extensions', proxyHeader(0x21, 0x11, '00'.repeat(2_049)).subarray(0, 16)],
])('failure: %s is refused', (_, header) => {
  expect(() => parseProxyHeader(header)).toThrow(InvalidProxyHeader);
});

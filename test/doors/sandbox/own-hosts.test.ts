import { describe, expect, test } from 'vitest';
import { ownHosts } from '../../../src/doors/sandbox/request-guard.ts';

const defaults = { host: '127.0.0.1', publicUrl: undefined, exposed: false, port: () => 8080 };
const byDefault = ownHosts(defaults);
const exposed = ownHosts({
  host: 'sandbox.internal',
  publicUrl: 'https://registry.example/try',
  exposed: true,
  port: () => 8080,
});

describe('own hosts', () => {
  test.each(['localhost', 'LocalHost:8080', '127.0.0.1', '127.0.0.1:9', '127.3.2.1', '[::1]:8080', '[::1]'])(
    'success: %s is an own host in every configuration',
    (host) => {
      expect([byDefault.isOwnHost(host), exposed.isOwnHost(host)]).toEqual([true, true]);
    },
  );

  test.each([
    'sandbox.internal',
    'Sandbox.Internal:8080',
    'registry.example',
    '192.0.2.7:80',
    '[2001:db8::1]:80',
  ])('success: %s is an own host only by HOST, PUBLIC_URL or --expose', (host) => {
    expect([exposed.isOwnHost(host), byDefault.isOwnHost(host)]).toEqual([true, false]);
  });

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.localhost',
    '',
    undefined,
    'registry.example.evil.example',
    '[',
  ])('failure: %s is never an own host', (host) => {
    expect([byDefault.isOwnHost(host), exposed.isOwnHost(host)]).toEqual([false, false]);
  });

  test('success: HOST in any form', () => {
    expect(ownHosts({ ...defaults, host: '::1' }).isOwnHost('[::1]:8080')).toBe(true);
    expect(ownHosts({ ...defaults, host: '0.0.0.0' }).isOwnHost('0.0.0.0:8080')).toBe(true);
  });
});

describe('own origins', () => {
  test.each([
    ['http://127.0.0.1:8080', '127.0.0.1:8080'],
    ['http://localhost:8080', '127.0.0.1:8080'],
    ['http://127.0.0.1:8080', 'localhost:8080'],
    ['http://[::1]:8080', 'localhost:8080'],
    // Reached on another port, as with a container.
    ['http://localhost:9090', 'localhost:9090'],
  ])('success: %s, asked for as %s', (origin, host) => {
    expect(byDefault.isOwnOrigin(origin, host)).toBe(true);
  });

  test('success: the public one behind a proxy, and an exposed address', () => {
    expect(exposed.isOwnOrigin('https://registry.example', '127.0.0.1:8080')).toBe(true);
    expect(exposed.isOwnOrigin('http://192.0.2.7:8080', '192.0.2.7:8080')).toBe(true);
  });

  test.each([
    'null',
    '',
    'http://evil.example',
    'http://localhost:3000',
    'https://localhost',
    'http://localhost',
    'x',
  ])('failure: %s', (origin) => {
    expect(byDefault.isOwnOrigin(origin, 'localhost:8080')).toBe(false);
  });
});

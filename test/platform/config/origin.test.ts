import { describe, expect, test } from 'vitest';
import { Origin } from '../../../src/platform/config/origin.ts';

const local = { publicUrl: undefined, host: '127.0.0.1', port: 8080, tlsKeyFile: undefined };

test('success: PUBLIC_URL, wherever the server listens', () => {
  const origin = new Origin({ ...local, publicUrl: 'https://registry.example' });
  origin.listensOn(9000);
  expect(origin.url).toBe('https://registry.example');
});

test('success: else the address of the server, also where the system chose the port', () => {
  const origin = new Origin({ ...local, port: 0 });
  origin.listensOn(54_321);
  expect(origin.url).toBe('http://127.0.0.1:54321');
  expect(new Origin(local).url).toBe('http://127.0.0.1:8080');
  expect(new Origin({ ...local, host: '::1' }).url).toBe('http://[::1]:8080');
});

test('success: with TLS the address is https', () => {
  expect(new Origin({ ...local, tlsKeyFile: 'server.key' }).url).toBe('https://127.0.0.1:8080');
});

describe('whether an origin is our own', () => {
  const [known, unknown] = [
    new Origin({ ...local, publicUrl: 'https://registry.example/' }),
    new Origin(local),
  ];

  test.each([
    ['the public address', known, 'https://registry.example', 'proxied:8080'],
    ['the host that was asked', unknown, 'http://localhost:8080', 'localhost:8080'],
    ['the host that was asked, with its port', unknown, 'http://registry.example', 'Registry.example:80'],
  ])('success: %s', (_what, own, origin, host) => {
    expect(own.isOwn(origin, host)).toBe(true);
  });

  test.each([
    ['another scheme', known, 'http://registry.example', 'registry.example'],
    ['another port', known, 'https://registry.example:444', 'registry.example:444'],
    ['another host, though it was asked', known, 'https://evil.example', 'evil.example'],
    ['no origin', known, 'null', 'registry.example'],
    ['another scheme than the server has', unknown, 'https://localhost:8080', 'localhost:8080'],
    ['another host than was asked', unknown, 'http://evil.example', 'localhost:8080'],
    ['no host', unknown, 'http://undefined', undefined],
    ['no host that is one', unknown, 'null', '['],
  ])('failure: %s', (_what, own, origin, host) => {
    expect(own.isOwn(origin, host)).toBe(false);
  });
});

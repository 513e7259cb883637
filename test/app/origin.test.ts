import { expect, test } from 'vitest';
import { Origin } from '../../src/app/origin.ts';

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

import { type ConnectionOptions, connect, DEFAULT_CIPHERS } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wallClock } from '../../../src/platform/clock/clock.ts';
import { inFiles, selfSigned } from '../../support/certificates.ts';
import { type SecureServer, startServer } from '../../support/secure-server.ts';

let server: SecureServer;
beforeAll(async () => {
  const { tlsKeyFile, tlsCertificateFile } = await inFiles(await selfSigned('registry.example'));
  server = await startServer({ tlsKeyFile, tlsCertificateFile }, wallClock);
});
afterAll(() => server.stop());

/** The version and the cipher that were agreed on, or why none were. */
const agreed = (options: ConnectionOptions): Promise<string> =>
  new Promise((resolve) => {
    const { hostname: host, port } = new URL(server.url);
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ...options });
    socket.once('secureConnect', () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
      socket.destroy();
    });
    socket.once('error', ({ message }) => resolve(message));
  });

describe('TLS of RDAP and of every other HTTP interface (rdap-91)', () => {
  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'success: %s, with authenticated encryption',
    async (version) => {
      const found = await agreed({ minVersion: version, maxVersion: version });
      expect(found).toMatch(new RegExp(`^${version} .*(?:GCM|POLY1305)`));
    },
  );

  test.each([
    ['TLS 1.1', { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0` }],
    ['no forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' }],
    ['CBC', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256' }],
  ] as const)('failure: %s', async (_what, options) => {
    expect(await agreed(options)).toMatch(/alert|wrong version|no protocols/i);
  });
});

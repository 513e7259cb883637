import { once } from 'node:events';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedFor } from '../../../support/certificates.ts';
import { EppClient } from '../../../support/epp.ts';
import { type EppTestServer, startEppServerForTest } from '../../../support/epp-server.ts';
import { createContact, createDomain, domain } from './cases.ts';

let server: EppTestServer;
beforeAll(async () => {
  server = await startEppServerForTest({ certificates: 'required' });
});
afterAll(() => server.stop());

describe('epp-01: the service port', () => {
  const connect = (options: tls.ConnectionOptions) =>
    tls.connect({ host: 'localhost', port: server.port, ca: server.ca, ...options });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'success: %s with a cipher of RFC 9325, and the certificate is valid',
    async (version) => {
      const socket = connect({ minVersion: version, maxVersion: version });
      await once(socket, 'secureConnect');
      expect([socket.authorized, socket.getProtocol()]).toEqual([true, version]);
      expect(socket.getCipher().standardName).toMatch(
        /^TLS_(ECDHE_\w+_WITH_)?(AES_\d+_GCM|CHACHA20_POLY1305)_SHA\d+$/,
      );
      socket.destroy();
    },
  );

  test.each(['TLSv1', 'TLSv1.1'] as const)('failure: %s', async (version) => {
    const socket = connect({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' });
    await expect(once(socket, 'secureConnect')).rejects.toThrow(/protocol|alert/i);
  });

  test('failure: a cipher without forward secrecy', async () => {
    const socket = connect({ maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' });
    await expect(once(socket, 'secureConnect')).rejects.toThrow(/handshake|alert/i);
  });
});

test('epp-02: the greeting', async () => {
  await using client = await EppClient.connect({ port: server.port, ca: server.ca });
  const { greeting } = client;
  expect(greeting.text('greeting/svID')?.length).toBeGreaterThan(2);
  expect(Math.abs(Date.now() - Date.parse(greeting.text('greeting/svDate') ?? ''))).toBeLessThan(30_000);
  expect([greeting.texts('svcMenu/version'), greeting.texts('svcMenu/lang')]).toEqual([['1.0'], ['en']]);
  const ns = 'urn:ietf:params:xml:ns:';
  const objects = greeting.texts('svcMenu/objURI').filter((uri) => uri.startsWith(ns));
  const extensions = greeting.texts('svcExtension/extURI').filter((uri) => uri.startsWith(ns));
  expect(objects).toEqual([`${ns}domain-1.0`, `${ns}contact-1.0`]);
  expect(extensions).toEqual(
    ['secDNS-1.1', 'rgp-1.0', 'epp:fee-1.0', 'epp:loginSec-1.0', 'changePoll-1.0'].map(
      (name) => `${ns}${name}`,
    ),
  );
});

describe('epp-03: login', () => {
  const PASSWORD = 'alpha-sandbox-password';
  const codeOf = async (user: string, password: string, identity: object | undefined) => {
    await using client = await EppClient.connect({ port: server.port, ca: server.ca, ...identity });
    return (await client.logIn(user, password)).code;
  };

  test('success: user, password and certificate belong together', async () => {
    expect(await codeOf('alpha', PASSWORD, server.identities.alpha)).toBe(1000);
  });
  test('failure: an unknown user', async () => {
    expect(await codeOf('nobody', PASSWORD, server.identities.alpha)).toBe(2501);
  });
  test('failure: a wrong password', async () => {
    expect(await codeOf('alpha', 'not-the-password', server.identities.alpha)).toBe(2501);
  });
  test('failure: the certificate of another registrar', async () => {
    expect(await codeOf('alpha', PASSWORD, server.identities.beta)).toBe(2501);
  });
  test('failure: a certificate of another authority', async () => {
    expect(await codeOf('alpha', PASSWORD, await server.foreignIdentity('alpha'))).toBe(2501);
  });
  test('failure: no certificate', async () => {
    expect(await codeOf('alpha', PASSWORD, undefined)).toBe(2501);
  });
  test('failure: a certificate that was revoked', async () => {
    const revoked = await signedFor(server.sql, server.authority, 'alpha');
    expect(await codeOf('alpha', PASSWORD, revoked)).toBe(1000);
    await server.revoke(revoked.certificate.serial);
    expect(await codeOf('alpha', PASSWORD, revoked)).toBe(2501);
  });
});

test('epp-17: all servers show the same object', async () => {
  await using second = await server.startAnother();
  const one = await server.logIn('alpha');
  const two = await second.logIn('alpha');
  const name = await createDomain(one, await createContact(one));
  const strip = (frame: string) => frame.replace(/<trID>.*<\/trID>/s, '');
  const [first, other] = [await one.command(domain.info(name)), await two.command(domain.info(name))];
  expect(strip(other.frame)).toBe(strip(first.frame));
});

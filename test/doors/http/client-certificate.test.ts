import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CredentialsError, Registry, type TlsOptions } from '../../../packages/sdk/src/index.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import type { Clock } from '../../../src/platform/clock/clock.ts';
import { retireAuthority } from '../../../src/registry/certificates/retire-authority.ts';
import {
  type Identity,
  inFiles,
  ownAuthority,
  revokeSerial,
  selfSigned,
  signedFor,
} from '../../support/certificates.ts';
import { askByOpenssl, hasOpenssl } from '../../support/openssl.ts';
import { operator } from '../../support/operator.ts';
import { type SecureServer, secureClient, startServer } from '../../support/secure-server.ts';
import { NOTICED } from '../../support/waiting.ts';

const DAY_MS = 86_400_000;
const BALANCE = '/registry/v1/accounts/balance';
const REFUSED = { status: 401, body: { code: 2202, message: 'Invalid authorization information' } };

const alpha = 'alpha:alpha-sandbox-password';
const beta = 'beta:beta-sandbox-password';

let ahead = 0;
const clock: Clock = { now: () => new Date(Date.now() + ahead) };

describe('a server that terminates TLS itself', () => {
  let server: SecureServer;
  let files: Awaited<ReturnType<typeof inFiles>>;
  let authority: Awaited<ReturnType<typeof ownAuthority>>;
  beforeAll(async () => {
    files = await inFiles(await selfSigned('registry.example'));
    const { tlsKeyFile, tlsCertificateFile } = files;
    server = await startServer({ tlsKeyFile, tlsCertificateFile, certificates: 'direct' }, clock);
    authority = await ownAuthority(server.sql);
  });
  afterAll(() => server.stop());

  async function readBalance(identity: Identity | undefined, credentials = alpha) {
    const client = secureClient(server.url, identity, credentials);
    const { status, body } = await client.get(BALANCE).finally(() => client.close());
    return { status, body };
  }
  const revoke = ({ serial }: { serial: string }) => revokeSerial(server.sql, serial);

  test('success: a certificate on record for the user, with the password', async () => {
    const identity = await signedFor(server.sql, authority, 'alpha');
    expect(await readBalance(identity)).toMatchObject({ status: 200, body: { code: 1000 } });
    await revoke(identity.certificate);
  });

  test('success: the client of packages/sdk, which also verifies the server', async () => {
    const { certificate, ...identity } = await signedFor(server.sql, authority, 'alpha');
    const ca = await readFile(files.tlsCertificateFile, 'utf8');
    const client = (tls: TlsOptions) =>
      new Registry({ baseUrl: server.url, username: 'alpha', password: 'alpha-sandbox-password', tls });
    const { meta } = await client({ ...identity, ca }).billing.balance();
    expect(meta.status).toBe(200);
    await expect(client({ ca }).billing.balance()).rejects.toBeInstanceOf(CredentialsError);
    // The certificate of this server is self-signed: retries do not help.
    await expect(client(identity).billing.balance()).rejects.toMatchObject({
      name: 'ConnectionError',
      attempts: 1,
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
    await revoke(certificate);
  });

  test.runIf(hasOpenssl).each([
    ['EC', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
    ['RSA', ['-newkey', 'rsa:2048']],
  ])('success: a key and a request that openssl made, %s', async (_kind, key) => {
    const asked = await askByOpenssl('alpha', ...key);
    const identity = await signedFor(server.sql, authority, 'alpha', new Date(), asked);
    expect(await readBalance(identity)).toMatchObject({ status: 200, body: { code: 1000 } });
    await revoke(identity.certificate);
  });

  test('failure: the right certificate with a wrong password', async () => {
    const identity = await signedFor(server.sql, authority, 'alpha');
    expect(await readBalance(identity, 'alpha:wrong')).toMatchObject(REFUSED);
    await revoke(identity.certificate);
  });

  test('failure: no certificate', async () => {
    expect(await readBalance(undefined)).toMatchObject(REFUSED);
    expect(server.logged()).toContain('no certificate was shown');
  });

  test('failure: no certificate, and an unknown user', async () => {
    expect(await readBalance(undefined, 'nobody:no-password')).toMatchObject(REFUSED);
  });

  test("failure: one of another authority, though it has the user's name", async () => {
    expect(await readBalance(await selfSigned('alpha'))).toMatchObject(REFUSED);
  });

  test("failure: another user's", async () => {
    const own = await signedFor(server.sql, authority, 'alpha');
    const identity = await signedFor(server.sql, authority, 'beta');
    expect(await readBalance(identity, alpha)).toMatchObject(REFUSED);
    expect((await readBalance(identity, beta)).status).toBe(200);
    await revoke(own.certificate);
    await revoke(identity.certificate);
  });

  test('failure: one that has expired, or is not valid yet', async () => {
    const identity = await signedFor(server.sql, authority, 'alpha');
    const client = secureClient(server.url, identity, alpha);
    expect((await client.get(BALANCE)).status).toBe(200);
    ahead = 366 * DAY_MS;
    expect(await client.get(BALANCE)).toMatchObject(REFUSED);
    ahead = -DAY_MS;
    expect(await client.get(BALANCE)).toMatchObject(REFUSED);
    ahead = 0;
    expect((await client.get(BALANCE)).status).toBe(200);
    client.close();
    await revoke(identity.certificate);
  });

  test('failure: one that was revoked, within seconds on a connection that is open', async () => {
    const [old, next] = [
      await signedFor(server.sql, authority, 'alpha'),
      await signedFor(server.sql, authority, 'alpha'),
    ];
    const [withOld, withNext] = [old, next].map((identity) => secureClient(server.url, identity, alpha));
    for (const client of [withOld, withNext]) expect((await client?.get(BALANCE))?.status).toBe(200);
    await revoke(old.certificate);
    await expect.poll(async () => (await withOld?.get(BALANCE))?.status, NOTICED).toBe(401);
    expect((await withNext?.get(BALANCE))?.status).toBe(200);
    for (const client of [withOld, withNext]) client?.close();
    await revoke(next.certificate);
  });

  test('success: a resumed TLS session has its certificate', async () => {
    const identity = await signedFor(server.sql, authority, 'alpha');
    const client = secureClient(server.url, identity, alpha, false);
    expect(await client.get(BALANCE)).toMatchObject({ status: 200, resumed: false });
    expect(await client.get(BALANCE)).toMatchObject({ status: 200, resumed: true });
    await revoke(identity.certificate);
    await expect.poll(async () => (await client.get(BALANCE)).status, NOTICED).toBe(401);
  });

  test('failure: one whose authority was retired', async () => {
    const second = await ownAuthority(server.sql);
    const identity = await signedFor(server.sql, second, 'beta');
    const client = secureClient(server.url, identity, beta);
    expect((await client.get(BALANCE)).status).toBe(200);
    await carryOut(server.sql, retireAuthority, { id: second.id }, operator());
    await expect.poll(async () => (await client.get(BALANCE)).status, NOTICED).toBe(401);
    client.close();
  });

  test('success: pages and health need no certificate', async () => {
    const client = secureClient(server.url, undefined, '');
    expect((await client.get('/health')).status).toBe(200);
    client.close();
  });

  test('success: a new key and certificate are used for new connections, and no open one is closed', async () => {
    const identity = await signedFor(server.sql, authority, 'alpha');
    const before = secureClient(server.url, identity, alpha);
    const first = await before.get(BALANCE);
    const renewed = await selfSigned('registry.example');
    await files.write(renewed);
    const expected = new X509Certificate(renewed.cert).fingerprint256;
    await expect
      .poll(async () => {
        const later = secureClient(server.url, identity, alpha);
        return (await later.get(BALANCE).finally(() => later.close())).shown;
      }, NOTICED)
      .toBe(expected);
    expect(await before.get(BALANCE)).toMatchObject({ status: 200, shown: first.shown });
    before.close();
    await revoke(identity.certificate);
  });

  test('failure: a key that does not match its certificate is not loaded', async () => {
    const [one, other] = [await selfSigned('registry.example'), await selfSigned('registry.example')];
    await files.write({ key: one.key, cert: other.cert });
    await expect.poll(() => server.logged(), NOTICED).toContain('do not fit; the old ones stay');
    const client = secureClient(server.url, undefined, '');
    expect((await client.get('/health')).status).toBe(200);
    client.close();
  });
});

describe('a server behind a proxy that terminates TLS', () => {
  let server: SecureServer;
  let identity: Awaited<ReturnType<typeof signedFor>>;
  beforeAll(async () => {
    server = await startServer({ certificates: 'proxy', trustedProxies: ['127.0.0.1/32'] }, clock);
    identity = await signedFor(server.sql, await ownAuthority(server.sql), 'alpha');
  });
  afterAll(() => server.stop());

  const authorization = `Basic ${Buffer.from(alpha).toString('base64')}`;
  async function readBalance(url: string, headers: Record<string, string>): Promise<number> {
    return (await fetch(`${url}${BALANCE}`, { headers: { authorization, ...headers } })).status;
  }

  test('success: the certificate as proxies write it', async () => {
    const { cert } = identity;
    const der = new X509Certificate(cert).raw.toString('base64');
    for (const written of [
      encodeURIComponent(cert),
      cert.trim().replaceAll('\n', ' '),
      cert.trim().replaceAll('\n', '\t'),
      `:${der}:`,
    ])
      expect(await readBalance(server.url, { ssl_client_cert: written }), written.slice(0, 40)).toBe(200);
  });

  test.each<[string, () => Record<string, string>]>([
    ['none', () => ({})],
    ['an empty one', () => ({ ssl_client_cert: '' })],
    ['the placeholder of some proxies for none', () => ({ ssl_client_cert: '(null)' })],
    ['two', () => ({ ssl_client_cert: `${flat(identity.cert)} ${flat(identity.cert)}` })],
    [
      'two with a comma, as for a duplicate header',
      () => ({ ssl_client_cert: `${flat(identity.cert)}, ${flat(identity.cert)}` }),
    ],
    ['malformed escapes', () => ({ ssl_client_cert: `${encodeURIComponent(identity.cert)}%` })],
    ['a truncated one', () => ({ ssl_client_cert: flat(identity.cert).slice(0, 200) })],
    ['Base64 that is not a certificate', () => ({ ssl_client_cert: ':aGVsbG8=:' })],
    ['in another header', () => ({ 'client-cert': flat(identity.cert) })],
  ])('failure: %s', async (_name, headers) => {
    expect(await readBalance(server.url, headers())).toBe(401);
  });

  test('failure: a client that is not the proxy cannot claim to be it', async () => {
    const exposed = await startServer({ certificates: 'proxy', trustedProxies: ['203.0.113.1/32'] }, clock);
    const other = await signedFor(exposed.sql, await ownAuthority(exposed.sql), 'alpha');
    expect(await readBalance(exposed.url, { ssl_client_cert: flat(other.cert) })).toBe(401);
    await exposed.stop();
  });
});

const flat = (pem: string): string => pem.trim().replaceAll('\n', ' ');

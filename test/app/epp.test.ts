import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { portsToTry } from '../../src/doors/own-port.ts';
import type { EppAddress } from '../../src/doors/sandbox/sandbox-addresses.ts';
import { carryOut } from '../../src/operations/operator-operation.ts';
import { readCertificate } from '../../src/platform/certificates/certificate.ts';
import { suspendRegistrar } from '../../src/registry/registrars/suspend-registrar.ts';
import { disableUser } from '../../src/registry/users/disable-user.ts';
import { cadastre, databaseUrl, startServe } from '../support/cadastre.ts';
import { revokeSerial, serverIdentity } from '../support/certificates.ts';
import { EppConnection, productionWithEpp, type Shown } from '../support/epp-connection.ts';
import { freePort } from '../support/free-port.ts';
import { hasOpenssl } from '../support/openssl.ts';
import { operator } from '../support/operator.ts';
import {
  createTestDatabase,
  freshRegistryForThisTest,
  startFreshRegistry,
  type TestRegistry,
} from '../support/registry.ts';
import { seededProduction } from '../support/seeded-production.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { NOTICED } from '../support/waiting.ts';

function newHome(): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-epp-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

async function eppOf({ url }: { readonly url: string }): Promise<EppAddress> {
  const { epp } = (await (await fetch(`${url}/sandbox`)).json()) as { epp: EppAddress };
  return epp;
}

describe('EPP of the sandbox', () => {
  test('success: it shows its address, and keeps its certificates over restarts and resets', async () => {
    const home = newHome();
    const first = await startFreshRegistry({ eppPort: 0, home });
    const epp = await eppOf(first);
    expect(epp).toEqual({
      host: '127.0.0.1',
      port: expect.any(Number),
      ca_certificate: expect.stringMatching(/^-----BEGIN CERTIFICATE-----/),
      client_certificates: Object.fromEntries(
        ['alpha', 'beta', 'poor'].map((user) => [
          user,
          {
            certificate: expect.stringMatching(/^-----BEGIN CERT/),
            key: expect.stringMatching(/^-----BEGIN PRIV/),
          },
        ]),
      ),
    });
    const files = readdirSync(path.join(home, 'epp'));
    expect(files).toHaveLength(10);
    for (const file of files) expect(statSync(path.join(home, 'epp', file)).mode & 0o777).toBe(0o600);
    const page = await (await fetch(`${first.url}/`)).text();
    expect(page).toContain(`openssl s_client -quiet -connect 127.0.0.1:${epp.port} -CAfile ${home}/epp/`);
    await first.stop();
    const again = await freshRegistryForThisTest({ eppPort: 0, home });
    await fetch(`${again.url}/sandbox/reset`, { method: 'POST' });
    expect(await eppOf(again)).toEqual({ ...epp, port: expect.any(Number) });
  });

  test.runIf(hasOpenssl)(
    'success: the command of the banner and the home page shows the greeting',
    async () => {
      const { url } = await freshRegistryForThisTest({ eppPort: 0 });
      const page = await (await fetch(`${url}/`)).text();
      const command = /openssl s_client[^<]*/.exec(page)?.[0] ?? '';
      // It stays connected, as a person who types would want it.
      const child = spawn('sh', ['-c', `exec ${command} -verify_return_error`]);
      onTestFinished(() => void child.kill());
      let printed = '';
      child.stdout.on('data', (chunk) => {
        printed += chunk;
      });
      await expect.poll(() => printed, NOTICED).toContain('<svID>Cadastre</svID>');
    },
  );

  test('success: a port that was not set moves, one that was set does not', () => {
    expect(portsToTry(undefined, 8700, { port: 8080 })).toEqual([8700, 0]);
    expect(portsToTry(undefined, 8700, { port: 8081 })).toEqual([0]);
    expect(portsToTry(8700, 8700, { port: 8081 })).toEqual([8700]);
  });

  test('failure: off, and not announced', async () => {
    const { url } = await freshRegistryForThisTest({ eppPort: 'off' });
    expect(await eppOf({ url })).toBeUndefined();
    expect(await (await fetch(`${url}/`)).text()).not.toContain('openssl');
  });

  test('failure: a port that was set and is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    await expect(startFreshRegistry({ eppPort: port, home: newHome() })).rejects.toThrow(
      /^The port is taken .* Set EPP_PORT to another one\.$/,
    );
  });
});

describe('logins to the sandbox', () => {
  let registry: TestRegistry;
  let home: string;
  let epp: EppAddress;
  const at = () => ({ port: epp.port, ca: epp.ca_certificate });
  beforeAll(async () => {
    home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-epp-'));
    registry = await startFreshRegistry({ eppPort: 0, home });
    epp = await eppOf(registry);
  });
  afterAll(async () => {
    await registry.stop();
    rmSync(home, { recursive: true });
  });
  const shownBy = (user: string) => epp.client_certificates[user] as Shown;

  test('success: with the certificate of the user or none, under any name of loopback', async () => {
    const [shown, bare] = [await EppConnection.open(at(), shownBy('alpha')), await EppConnection.open(at())];
    expect([await shown.logIn('alpha'), await bare.logIn('beta')]).toEqual([1000, 1000]);
    expect([await shown.poll(), await bare.poll()]).toEqual([1300, 1300]);
    for (const host of ['localhost', '::1']) {
      const named = await EppConnection.open({ ...at(), host }, shownBy('alpha'));
      expect(await named.logIn('alpha')).toBe(1000);
    }
  });

  test("failure: with another user's certificate, a wrong password, or a role for money only", async () => {
    const outcome = async (user: string, password?: string, shown?: Shown) => {
      const client = await EppConnection.open(at(), shown);
      const code = await client.logIn(user, password);
      await expect.poll(() => client.isClosed, NOTICED).toBe(true);
      return code;
    };
    expect(await outcome('alpha', undefined, shownBy('beta'))).toBe(2501);
    expect(await outcome('alpha', 'not the password')).toBe(2501);
    expect(await outcome('alpha-billing')).toBe(2501);
  });

  test('failure: during maintenance nothing is done, and the session stays', async () => {
    const client = await EppConnection.open(at());
    await client.logIn('alpha');
    const run = (...args: string[]) =>
      cadastre(['maintenance', ...args], { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
    await run('on');
    await expect.poll(() => client.poll(), NOTICED).toBe(2400);
    await run('off');
    await expect.poll(() => client.poll(), NOTICED).toBe(1300);
  });

  test('success: a reset ends all sessions, and revoked certificates are valid again', async () => {
    const [shown, bare] = [await EppConnection.open(at(), shownBy('alpha')), await EppConnection.open(at())];
    await Promise.all([shown.logIn('alpha'), bare.logIn('beta')]);
    const { serial = '' } = readCertificate(shownBy('alpha').certificate) ?? {};
    await revokeSerial(registry.sql, serial);
    await expect.poll(() => shown.isClosed, NOTICED).toBe(true);
    expect(bare.isClosed).toBe(false);
    const refused = await EppConnection.open(at(), shownBy('alpha'));
    expect(await refused.logIn('alpha')).toBe(2501);
    await fetch(`${registry.url}/sandbox/reset`, { method: 'POST' });
    await expect.poll(() => bare.isClosed, NOTICED).toBe(true);
    const again = await EppConnection.open(at(), shownBy('alpha'));
    expect(await again.logIn('alpha')).toBe(1000);
  });
});

describe.concurrent('EPP of serve', () => {
  test.each<[string, (parts: Awaited<ReturnType<typeof productionWithEpp>>) => Promise<unknown>]>([
    ['a revoked certificate', ({ db, certificate }) => revokeSerial(db, certificate.serial)],
    [
      'a disabled user',
      ({ db }) => carryOut(db, disableUser, { username: 'alpha', isDisabled: true }, operator()),
    ],
    [
      'a suspended registrar',
      ({ db }) => carryOut(db, suspendRegistrar, { code: 'ALPHA', isSuspended: true }, operator()),
    ],
  ])('failure: %s ends an open session within seconds', async (_, revoke) => {
    const parts = await productionWithEpp();
    const server = await startServe(parts.url, parts.settings);
    onTestFinished(() => server.stop());
    const { client, code } = await parts.logIn();
    expect([code, await client.poll()]).toEqual([1000, 1300]);
    await revoke(parts);
    await expect.poll(() => client.isClosed, NOTICED).toBe(true);
    expect((await parts.logIn()).code).toBe(2501);
    // The client may learn of it before the database does.
    await expect.poll(() => parts.db.rows(sql`select from epp_sessions`)).toEqual([]);
  });

  test('failure: a certificate is required, and sessions are counted over servers', async () => {
    const parts = await productionWithEpp({ EPP_SESSIONS_PER_REGISTRAR: '1' });
    const port = await freePort();
    const servers = await Promise.all([
      startServe(parts.url, parts.settings),
      startServe(parts.url, { ...parts.settings, EPP_PORT: String(port) }),
    ]);
    const other = { ...parts.at, port };
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop()))));
    const bare = await EppConnection.open(parts.at);
    expect(await bare.logIn('alpha')).toBe(2501);
    const first = await parts.logIn();
    expect(first.code).toBe(1000);
    expect((await parts.logIn(other)).code).toBe(2502);
    first.client.close();
    await expect.poll(async () => (await parts.logIn(other)).code, NOTICED).toBe(1000);
  });

  test('success: a stop closes the connections and leaves no session', async () => {
    const parts = await productionWithEpp();
    const server = await startServe(parts.url, parts.settings);
    const { client, code } = await parts.logIn();
    expect([code, await parts.db.rows(sql`select from epp_sessions`)]).toEqual([1000, [{}]]);
    expect(await server.stop()).toBe(0);
    await expect.poll(() => client.isClosed, NOTICED).toBe(true);
    expect(await parts.db.rows(sql`select from epp_sessions`)).toEqual([]);
  });

  test('success: an operator ends it', async () => {
    const parts = await productionWithEpp();
    const server = await startServe(parts.url, parts.settings);
    onTestFinished(() => server.stop());
    const { client } = await parts.logIn();
    const ended = await cadastre(['epp', 'end', '--registrar', 'ALPHA', '--yes'], {
      env: { DATABASE_URL: parts.url },
    });
    expect(ended.stdout).toBe('1 session of alpha ends within seconds.\n');
    await expect.poll(() => client.isClosed, NOTICED).toBe(true);
  });

  test('success: a renewed certificate is shown to new connections, and open sessions stay', async () => {
    const parts = await productionWithEpp();
    const server = await startServe(parts.url, parts.settings);
    onTestFinished(() => server.stop());
    const { client: old } = await parts.logIn();
    await parts.renewIdentity(await serverIdentity(parts.authority, [{ type: 'ip', value: '127.0.0.1' }]));
    await expect
      .poll(async () => (await EppConnection.open(parts.at)).shownFingerprint, { ...NOTICED, interval: 200 })
      .not.toBe(old.shownFingerprint);
    expect(await old.poll()).toBe(1300);
  });

  test('failure: commands and requests of a user count together', async () => {
    const parts = await productionWithEpp({ RATE_LIMIT_PER_MINUTE: '4' });
    const server = await startServe(parts.url, parts.settings);
    onTestFinished(() => server.stop());
    const { client } = await parts.logIn();
    const authorization = `Basic ${Buffer.from('alpha:alpha-sandbox-password').toString('base64')}`;
    const request = async () =>
      (await fetch(`${server.url}/registry/v1/contacts`, { headers: { authorization } })).status;
    expect([await client.poll(), await request(), await client.poll(), await request()]).toEqual([
      1300, 200, 1300, 200,
    ]);
    expect([await client.poll(), await request()]).toEqual([2502, 429]);
  });

  test('failure: among the doors without a port', async () => {
    const { url } = await seededProduction();
    const { code, stderr } = await cadastre(['serve', '--doors', 'epp'], { env: { DATABASE_URL: url } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('EPP_PORT must be set')]);
  });

  test('failure: without a key, unless EPP is not among the doors', async () => {
    const { url } = await seededProduction();
    const env = { DATABASE_URL: url, EPP_PORT: '0' };
    const { code, stderr } = await cadastre(['serve'], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining('EPP_PORT needs EPP_TLS_KEY_FILE')]);
    const server = await startServe(url, { EPP_PORT: '0' }, ['--doors', 'rdap']);
    expect(await server.stop()).toBe(0);
  });

  test('success: commands need no key, beside a sandbox or elsewhere', async () => {
    const { name, drop } = await createTestDatabase();
    onTestFinished(drop);
    const env = { DATABASE_URL: databaseUrl(name), EPP_PORT: '8700' };
    expect(await cadastre(['epp', 'sessions'], { env })).toMatchObject({ code: 0, stderr: '' });
  });
});

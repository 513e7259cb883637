import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createAuthority } from '../../../src/platform/certificates/authority.ts';
import { readAddress } from '../../../src/platform/database/address.ts';
import { Connection } from '../../../src/platform/database/database-connection.ts';
import { openAsLogin } from '../../../src/platform/database/database.ts';
import { classifyDatabaseError } from '../../../src/platform/database/database-errors.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { serverIdentity } from '../../support/certificates.ts';
import { DatabaseProxy } from '../../support/database-proxy.ts';
import { freePort } from '../../support/free-port.ts';
import { type StockServer, startStockPostgres } from '../../support/stock-postgresql.ts';

const HOUR_MS = 3_600_000;
const UNKNOWN_AUTHORITY = /unable to (verify the first certificate|get local issuer certificate)/;
const WRONG_NAME = /does not match certificate's altnames/;

const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-tls-'));
const file = (name: string) => path.join(folder, name);
const [ours, theirs] = [file('ours.crt'), file('theirs.crt')];
let server: StockServer;
/** Which certificate the server shows: for its name, or for its address. */
let show: (what: 'name' | 'address') => Promise<void>;
beforeAll(async () => {
  const validity = { from: new Date(Date.now() - HOUR_MS), until: new Date(Date.now() + HOUR_MS) };
  const authority = await createAuthority('Ours', validity);
  writeFileSync(ours, authority.certificate);
  writeFileSync(theirs, (await createAuthority('Theirs', validity)).certificate);
  const identities = {
    name: await serverIdentity(authority, [{ type: 'dns', value: 'localhost' }]),
    address: await serverIdentity(authority, [{ type: 'ip', value: '127.0.0.1' }]),
  };
  const filesOf = ({ key, cert }: { key: string; cert: string }) => ({
    'server.key': key,
    'server.crt': cert,
  });
  server = await startStockPostgres(undefined, {
    settings: { ssl: 'on', listen_addresses: '127.0.0.1', port: String(await freePort()) },
    files: filesOf(identities.name),
  });
  show = async (what) => {
    for (const [name, text] of Object.entries(filesOf(identities[what]))) server.write(name, text);
    const admin = openAsLogin(urlOf('127.0.0.1', 'disable'));
    await admin.rows(sql`select pg_reload_conf()`);
    await admin.close();
    const seen = urlOf(what === 'name' ? 'localhost' : '127.0.0.1', 'verify-full', ours);
    await expect.poll(() => connect(seen), { timeout: 30_000, interval: 20 }).toBe('TLS');
  };
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true });
});

const urlOf = (host: string, mode: string, authority?: string) =>
  `postgres://postgres@${host}:${server.port}/postgres?sslmode=${mode}${authority === undefined ? '' : `&sslrootcert=${authority}`}`;

/** Whether the connection is encrypted, or why there is none. */
async function connect(url: string): Promise<string> {
  const [address] = readAddress(url).servers;
  if (address === undefined) throw new Error('no server');
  try {
    const connection = await Connection.open(address, { settings: {}, pipeline: false });
    const { rows } = await connection.send(
      sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`,
      false,
    );
    await connection.close();
    return rows[0]?.ssl ? 'TLS' : 'no TLS';
  } catch (error) {
    expect(classifyDatabaseError(error)).toBe('unavailable');
    return (error as Error).message;
  }
}

describe('a server that has TLS', () => {
  test.each(['disable', 'allow', 'prefer'])('success: %s is no TLS', async (mode) => {
    expect(await connect(urlOf('localhost', mode))).toBe('no TLS');
  });

  test('success: require is TLS, with any certificate of the server', async () => {
    expect(await connect(urlOf('localhost', 'require'))).toBe('TLS');
    expect(await connect(urlOf('127.0.0.1', 'require'))).toBe('TLS');
  });

  test.each(['require', 'verify-ca', 'verify-full'])('failure: %s with another authority', async (mode) => {
    expect(await connect(urlOf('localhost', mode, ours))).toBe('TLS');
    expect(await connect(urlOf('localhost', mode, theirs))).toMatch(UNKNOWN_AUTHORITY);
  });

  test.each(['verify-ca', 'verify-full'])('failure: %s with the authorities of Node alone', async (mode) => {
    expect(await connect(urlOf('localhost', mode))).toMatch(UNKNOWN_AUTHORITY);
  });

  test('failure: only verify-full looks at the name, also where it is an address', async () => {
    for (const mode of ['require', 'verify-ca'])
      expect(await connect(urlOf('127.0.0.1', mode, ours))).toBe('TLS');
    expect(await connect(urlOf('127.0.0.1', 'verify-full', ours))).toMatch(/is not in the cert's list/);
    await show('address');
    expect(await connect(urlOf('127.0.0.1', 'verify-full', theirs))).toMatch(UNKNOWN_AUTHORITY);
    expect(await connect(urlOf('localhost', 'verify-ca', ours))).toBe('TLS');
    expect(await connect(urlOf('localhost', 'verify-full', ours))).toMatch(WRONG_NAME);
    await show('name');
  });

  test('success: each of several servers is verified by its own name', async () => {
    const hosts = `127.0.0.1:${server.port},localhost:${server.port}`;
    const db = openAsLogin(`postgres://postgres@${hosts}/postgres?sslmode=verify-full&sslrootcert=${ours}`);
    expect(await db.one(sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`)).toEqual({
      ssl: true,
    });
    await db.close();
  });

  test('failure: several servers of which none has the name that it is reached by, or the authority', async () => {
    const twice = `127.0.0.1:${server.port},127.0.0.1:${server.port}`;
    const named = `localhost:${server.port},localhost:${server.port}`;
    for (const [hosts, authority, why] of [
      [twice, ours, /is not in the cert's list.*is not in the cert's list/s],
      [named, theirs, UNKNOWN_AUTHORITY],
    ] as const) {
      const query = `sslmode=verify-full&sslrootcert=${authority}&target_session_attrs=read-write`;
      const db = openAsLogin(`postgres://postgres@${hosts}/postgres?${query}`);
      const failure = await db.rows(sql`select 1`).catch((error: unknown) => error);
      expect(classifyDatabaseError(failure)).toBe('unavailable');
      expect((failure as Error).message).toMatch(why);
      await db.close();
    }
  });
});

test('failure: no unencrypted connection to a server without TLS, where TLS is required', async () => {
  const { username, ...plain } = inject('server');
  const proxy = await DatabaseProxy.open(plain);
  const at = (mode: string) => `postgres://${username}@127.0.0.1:${proxy.port}/postgres?sslmode=${mode}`;
  expect(await connect(at('prefer'))).toBe('no TLS');
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    expect(await connect(at(mode))).toBe('The server does not support SSL connections');
  await proxy.close();
});

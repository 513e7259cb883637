import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'vitest';
import { portsToTry } from '../../src/app/door-ports.ts';
import { readMessage } from '../../src/doors/dns/message-reader.ts';
import { readZoneRecord } from '../../src/doors/dns/record-data.ts';
import { transferZone } from '../../src/doors/dns/transfer-client.ts';
import type { TsigKey } from '../../src/doors/dns/tsig.ts';
import type { DnsAddress } from '../../src/doors/sandbox/sandbox-addresses.ts';
import { zoneFileLine } from '../../src/registry/zones/zone-record.ts';
import { cadastre, databaseUrl, startServe, startWork } from '../support/cadastre.ts';
import { dig, findDnsPrograms, startKnot } from '../support/dns-programs.ts';
import { freePort } from '../support/free-port.ts';
import { freshRegistryForThisTest } from '../support/registry.ts';
import { seededProduction } from '../support/seeded-production.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { NOTICED } from '../support/waiting.ts';
import { DomainTables, linesOf } from '../support/zones.ts';

const unpacked = findDnsPrograms();
const root = 'root' in unpacked ? unpacked.root : '';
const [reason, isMissing] = 'reason' in unpacked ? [` (${unpacked.reason})`, true] : ['', false];

type Served = { readonly port: number; readonly key: TsigKey; readonly zone?: string };

/** What a server serves, as lines without the SOA. */
async function served({ port, key, zone = 'ee' }: Served): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of transferZone({ host: '127.0.0.1', port, zone, key }))
    lines.push(...batch.map(zoneFileLine));
  return lines.slice(1);
}

/** A socket that collects the serials of notifications. */
async function listener() {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const notified: string[] = [];
  socket.on('message', (bytes) => {
    const message = readMessage(bytes);
    const soa = message.answers[0] && readZoneRecord(message, message.answers[0]);
    if (soa?.type === 'SOA') notified.push(`${soa.name} ${soa.data.serial}`);
  });
  return { port: (socket.address() as AddressInfo).port, notified };
}

describe('DNS of the sandbox', () => {
  test('success: it says where it is, serves what is published, and tells a secondary of changes until the reset', async () => {
    const registry = await freshRegistryForThisTest({ dnsPort: 0 });
    const { dns } = (await (await fetch(`${registry.url}/sandbox`)).json()) as { dns: DnsAddress };
    expect(dns).toEqual({
      ...{
        host: '127.0.0.1',
        port: expect.any(Number),
        zones: ['ee', 'com.ee', 'pri.ee', 'fie.ee', 'med.ee'],
      },
      tsig: { name: 'sandbox-key', algorithm: 'hmac-sha256', secret: expect.stringMatching(/^c2FuZGJveC10/) },
    });
    const key = {
      name: dns.tsig.name,
      algorithm: 'hmac-sha256',
      secret: Buffer.from(dns.tsig.secret, 'base64'),
    } as const;
    const domains = new DomainTables(registry.sql);
    await domains.create('avatud.ee', ['ns1.avatud.ee', 'ns.example.net']);
    await domains.setKey('avatud.ee', 257);
    const transferred = () => served({ port: dns.port, key }).catch(() => []);
    await expect
      .poll(async () => (await transferred()).join('\n'), NOTICED)
      .toMatch(/avatud\.ee\. \d+ IN DS/);
    expect(await transferred()).toEqual(await linesOf(registry.sql, 'ee'));
    const check = (...more: string[]) =>
      cadastre(['zone', 'check', 'ee', '--server', `127.0.0.1:${dns.port}`, ...more], {
        env: { DATABASE_URL: databaseUrl(registry.databaseName) },
      });
    expect(await check('--key', 'sandbox-key')).toMatchObject({ code: 0, stderr: '' });
    expect((await check()).stderr).toContain('--server needs --key');
    expect((await check('--key', 'other')).stderr).toContain('There is no valid key other');

    const { port, notified } = await listener();
    const add = (body: object) =>
      fetch(`${registry.url}/sandbox/secondaries`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
      });
    expect((await add({ host: '192.0.2.1', port })).status).toBe(400);
    expect((await add({ host: '127.0.0.1', port: 0 })).status).toBe(400);
    expect(await (await add({ host: '127.0.0.1', port })).json()).toEqual({ host: '127.0.0.1', port });
    const zones = () => new Set(notified.map((each) => each.split(' ')[0]));
    await expect.poll(zones, NOTICED).toEqual(new Set(dns.zones));
    const before = new Set(notified);
    await domains.create('teine.com.ee', ['ns.example.net']);
    await expect
      .poll(() => notified.filter((each) => !before.has(each))[0], NOTICED)
      .toMatch(/^com\.ee \d+$/);
    await fetch(`${registry.url}/sandbox/reset`, { method: 'POST' });
    await expect.poll(async () => (await transferred()).join('\n'), NOTICED).not.toContain('avatud.ee');
  });

  test('success: the default port, or any where that is taken or the sandbox is not the only one', () => {
    expect(portsToTry(undefined, 8053, { port: 8080 })).toEqual([8053, 0]);
    expect(portsToTry(undefined, 8053, { port: 9090 })).toEqual([0]);
    expect(portsToTry(53, 8053, { port: 8080 })).toEqual([53]);
  });

  test('failure: a port that is taken, and a secondary where DNS is closed', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    await expect(freshRegistryForThisTest({ dnsPort: port })).rejects.toThrow('Set DNS_PORT to another one');
    const registry = await freshRegistryForThisTest();
    expect(await (await fetch(`${registry.url}/sandbox`)).json()).not.toHaveProperty('dns');
    const body = JSON.stringify({ host: '127.0.0.1', port: 5300 });
    const added = await fetch(`${registry.url}/sandbox/secondaries`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
    });
    expect(added.status).toBe(404);
  });
});

describe('DNS of serve', () => {
  /** A server with DNS, a worker that publishes, and a secondary with a key. */
  async function production(secondaryPort: number) {
    const { url, sql: db } = await seededProduction();
    const run = (...args: string[]) => cadastre(args, { env: { DATABASE_URL: url } });
    const port = await freePort();
    await run('dns', 'secondary', 'add', 'signer', '127.0.0.1', '--port', String(secondaryPort));
    const createKey = async (name: string): Promise<TsigKey> => {
      const { stdout } = await run('dns', 'key', 'create', name, '--secondary', 'signer', '--json');
      const { secret } = JSON.parse(stdout) as { secret: string };
      return { name, algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') };
    };
    const key = await createKey('first');
    const server = await startServe(url, { DNS_PORT: String(port) });
    onTestFinished(() => server.stop());
    await startWork(url);
    return { db, run, createKey, key, port, domains: new DomainTables(db) };
  }

  test('success: a key is replaced while transfers go on, also during maintenance; a revoked one is refused', async () => {
    const { run, createKey, key, port, domains } = await production(9);
    await domains.create('avatud.ee', ['ns.example.net']);
    const lines = (with_: TsigKey) => served({ port, key: with_ }).then((all) => all.join('\n'), String);
    await expect.poll(() => lines(key), NOTICED).toContain('avatud.ee. ');
    expect((await run('maintenance', 'on')).code).toBe(0);
    await domains.create('hooldus.ee', ['ns.example.net']);
    await expect.poll(() => lines(key), NOTICED).toContain('hooldus.ee. ');
    const second = await createKey('second');
    await expect.poll(() => lines(second), NOTICED).toContain('hooldus.ee. ');
    await run('dns', 'key', 'revoke', 'first', '--yes');
    await expect.poll(() => lines(key), NOTICED).toContain('TSIG error 17');
    expect(await lines(second)).toContain('hooldus.ee. ');
    const [row] = JSON.parse((await run('dns', 'secondary', 'list', '--json')).stdout) as {
      serials: string[];
    }[];
    const [serial] = JSON.parse((await run('zone', 'serial', '--json')).stdout) as {
      zone: string;
      serial: number;
    }[];
    expect(row?.serials).toEqual([`ee ${serial?.serial}`]);
  });

  test.skipIf(isMissing || !process.env.TORTURE)(
    `success: Knot follows what is registered, held and deleted${reason}`,
    async () => {
      const knotPort = await freePort();
      const { db, key, port, domains, run } = await production(knotPort);
      const knot = await startKnot(root, { zone: 'ee', primaryPort: port, key, port: knotPort });
      const ask = (name: string, type: string) =>
        dig(
          root,
          '@127.0.0.1',
          '-p',
          String(knot.port),
          '+noall',
          '+answer',
          '+authority',
          '+timeout=1',
          name,
          type,
        ).catch(() => []);
      await expect.poll(async () => (await ask('ee', 'SOA')).join(), NOTICED).toContain('SOA');
      const delays: number[] = [];
      const follows = async (change: () => Promise<void>, isThere: boolean) => {
        await change();
        const since = performance.now();
        const isDelegated = async () =>
          (await ask('knot.ee', 'NS')).some((line) => line.startsWith('knot.ee.'));
        await expect.poll(isDelegated, { ...NOTICED, interval: 20 }).toBe(isThere);
        delays.push(performance.now() - since);
      };
      await follows(() => domains.create('knot.ee', ['ns1.knot.ee', 'ns.example.net']), true);
      await follows(() => domains.setStatuses('knot.ee', { serverHold: '' }), false);
      await follows(() => domains.setStatuses('knot.ee', {}), true);
      await follows(() => domains.remove('knot.ee'), false);
      const check = () => run('zone', 'check', 'ee', '--server', `127.0.0.1:${knot.port}`, '--key', key.name);
      expect(await check()).toMatchObject({ code: 0, stderr: '' });
      expect(knot.log()).toContain('IXFR, incoming');
      await db.run(sql`update zones set published_at = published_at - interval '1 hour'`);
      await db.run(sql`update dns_secondaries set created_at = created_at - interval '1 hour'`);
      const doctor = (await run('doctor')).stdout;
      expect(doctor).toContain('The secondary signer has never transferred com.ee.');
      expect(doctor).not.toContain('never transferred ee.');
      await db.run(sql`update zone_records set records = '[]' where zone = 'ee' and label = 'com'`);
      const differing = await check();
      expect(differing.code).toBe(1);
      expect(differing.stderr).toMatch(/\+ com\.ee\. \d+ IN NS .*does not serve what is published/s);
      // Half a second to the writer, a look at the serials, and what a busy machine takes.
      expect(Math.min(...delays)).toBeLessThan(2_000);
      expect((await run('dns', 'secondary', 'list')).stdout).toMatch(/ee \d+/);
    },
  );

  test('failure: among the doors without a port', async () => {
    const { url } = await seededProduction();
    const { code, stderr } = await cadastre(['serve', '--doors', 'dns'], { env: { DATABASE_URL: url } });
    expect([code, stderr]).toEqual([1, expect.stringContaining('DNS_PORT must be set')]);
  });
});

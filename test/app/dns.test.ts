import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, test } from 'vitest';
import { transferAnswers, transferZone } from '../../src/doors/dns/transfer-client.ts';
import type { TsigKey } from '../../src/doors/dns/tsig.ts';
import { portsToTry } from '../../src/doors/own-port.ts';
import type { DnsAddress } from '../../src/doors/sandbox/sandbox-addresses.ts';
import { zoneFileLine } from '../../src/registry/zones/zone-record.ts';
import { cadastre, databaseUrl, startServe, startWork } from '../support/cadastre.ts';
import { askServer, findDnsPrograms, startKnot } from '../support/dns-programs.ts';
import { freePort, hasIpv6Loopback } from '../support/free-port.ts';
import { samplesAt } from '../support/metrics.ts';
import { listenForNotify } from '../support/notify-listener.ts';
import { freshRegistryForThisTest } from '../support/registry.ts';
import { seededProduction } from '../support/seeded-production.ts';
import { sql } from '../support/sql.ts';
import { expect, onTestFinished } from '../support/this-test.ts';
import { NOTICED } from '../support/waiting.ts';
import { DomainTables, linesOf } from '../support/zones.ts';

const unpacked = findDnsPrograms();
const root = 'root' in unpacked ? unpacked.root : '';
const [reason, isMissing] = 'reason' in unpacked ? [` (${unpacked.reason})`, true] : ['', false];

type Served = { readonly host?: string; readonly port: number; readonly key: TsigKey };

/** What a server serves, as lines without the SOA. */
async function served({ host = '127.0.0.1', port, key }: Served): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of transferZone({ host, port, zone: 'ee', key }))
    lines.push(...batch.map(zoneFileLine));
  return lines.slice(1);
}

const pendingAt = async (metricsUrl: string) =>
  (await samplesAt(metricsUrl)).get('cadastre_dns_notifications_pending');

describe('DNS of the sandbox', () => {
  test('success: it shows its address, serves published zones, and notifies a secondary of changes until the reset', async () => {
    const registry = await freshRegistryForThisTest({ dnsPort: 0 });
    const { dns } = (await (await fetch(`${registry.url}/sandbox`)).json()) as { dns: DnsAddress };
    expect(dns).toEqual({
      host: '127.0.0.1',
      port: expect.any(Number),
      zones: ['ee', 'com.ee', 'pri.ee', 'fie.ee', 'med.ee'],
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
    if (hasIpv6Loopback())
      expect(await served({ host: '::1', port: dns.port, key })).toEqual(await transferred());
    const check = (...more: string[]) =>
      cadastre(['zone', 'check', 'ee', '--server', `127.0.0.1:${dns.port}`, ...more], {
        env: { DATABASE_URL: databaseUrl(registry.databaseName) },
      });
    expect(await check('--key', 'sandbox-key')).toMatchObject({ code: 0, stderr: '' });
    expect((await check()).stderr).toContain('--server needs --key');
    expect((await check('--key', 'other')).stderr).toContain('There is no valid key other');

    const { port, notified } = await listenForNotify();
    const add = (body: object) =>
      fetch(`${registry.url}/sandbox/secondaries`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await add({ host: '192.0.2.1', port })).status).toBe(400);
    expect((await add({ host: '127.0.0.1', port: 0 })).status).toBe(400);
    expect(await (await add({ host: '127.0.0.1', port })).json()).toEqual({ host: '127.0.0.1', port });
    const zones = () => new Set(notified.map(({ zone }) => zone));
    await expect.poll(zones, NOTICED).toEqual(new Set(dns.zones));
    const before = new Set(notified.map(({ serial, zone }) => `${zone} ${serial}`));
    await domains.create('teine.com.ee', ['ns.example.net']);
    await expect
      .poll(() => notified.find(({ serial, zone }) => !before.has(`${zone} ${serial}`))?.zone, NOTICED)
      .toBe('com.ee');
    // The listener does not answer: its queries end the notifications.
    const pending = () => pendingAt(registry.metricsUrl);
    expect(await pending()).toBe(dns.zones.length);
    for (const zone of ['com.ee', 'pri.ee'])
      for await (const _ of transferZone({ host: '127.0.0.1', port: dns.port, zone, key }));
    await expect.poll(pending, NOTICED).toBe(dns.zones.length - 2);
    await fetch(`${registry.url}/sandbox/reset`, { method: 'POST' });
    await expect.poll(pending, NOTICED).toBe(0);
    await expect.poll(async () => (await transferred()).join('\n'), NOTICED).not.toContain('avatud.ee');
  });

  test('success: a new one answers for its zones from the start, before any job has run', async () => {
    const registry = await freshRegistryForThisTest({ dnsPort: 0 }, async (db) => {
      await db.script('truncate zones, zone_records, zone_serials, zone_changes, zone_marks cascade');
      await db.run(sql`update jobs set due_at = now() + interval '2 minutes' where name = 'publish zones'`);
    });
    const { dns } = (await (await fetch(`${registry.url}/sandbox`)).json()) as { dns: DnsAddress };
    const key: TsigKey = {
      name: dns.tsig.name,
      algorithm: 'hmac-sha256',
      secret: Buffer.from(dns.tsig.secret, 'base64'),
    };
    const first: unknown[] = [];
    for (const zone of dns.zones)
      for await (const [soa] of transferZone({ host: '127.0.0.1', port: dns.port, zone, key }))
        first.push(soa?.type);
    expect(first).toEqual(dns.zones.map(() => 'SOA'));
  });

  test('success: a key of the same name as the public one locks no client out', async () => {
    const registry = await freshRegistryForThisTest({ dnsPort: 0 });
    const { dns } = (await (await fetch(`${registry.url}/sandbox`)).json()) as { dns: DnsAddress };
    const run = (...args: string[]) =>
      cadastre(args, { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
    const createKey = async (name: string) =>
      JSON.parse((await run('dns', 'key', 'create', name, '--secondary', 'own', '--json')).stdout) as {
        secret: string;
      };
    const linesWith = (name: string, secret: string) => {
      const key: TsigKey = { name, algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') };
      return served({ port: dns.port, key }).then((lines) => lines.length, String);
    };
    await run('dns', 'secondary', 'add', 'own', '127.0.0.1', '--port', '9');
    await createKey(dns.tsig.name);
    const { secret } = await createKey('later');
    await expect.poll(() => linesWith('later', secret), NOTICED).toBeGreaterThan(0);
    expect(await linesWith(dns.tsig.name, dns.tsig.secret)).toBeGreaterThan(0);
    const server = `127.0.0.1:${dns.port}`;
    const checked = await run('zone', 'check', 'ee', '--server', server, '--key', dns.tsig.name);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
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
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(added.status).toBe(404);
  });
});

describe('DNS of serve', () => {
  /** A server with DNS, a worker that publishes, and a secondary with a key. */
  async function production(secondaryPort: number, secondary = 'signer') {
    const { url, sql: db } = await seededProduction();
    const run = (...args: string[]) => cadastre(args, { env: { DATABASE_URL: url } });
    const port = await freePort();
    await run('dns', 'secondary', 'add', secondary, '127.0.0.1', '--port', String(secondaryPort));
    const createKey = async (name: string): Promise<TsigKey> => {
      const { stdout } = await run('dns', 'key', 'create', name, '--secondary', secondary, '--json');
      const { secret } = JSON.parse(stdout) as { secret: string };
      return { name, algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') };
    };
    const key = await createKey('first');
    const metricsPort = String(await freePort());
    const server = await startServe(url, { DNS_PORT: String(port), METRICS_PORT: metricsPort });
    onTestFinished(() => server.stop());
    await startWork(url);
    return { db, run, createKey, key, port, domains: new DomainTables(db), metricsPort };
  }

  test('success: NOTIFY ends when the key is revoked, and when the secondary is removed', async () => {
    const { port, notified } = await listenForNotify();
    const { run, createKey, metricsPort } = await production(port);
    const pending = () => pendingAt(`http://127.0.0.1:${metricsPort}/metrics`);
    await expect.poll(() => notified.length, NOTICED).toBeGreaterThan(0);
    await run('dns', 'key', 'revoke', 'first', '--yes');
    await expect.poll(pending, NOTICED).toBe(0);
    await createKey('second');
    await expect.poll(pending, NOTICED).toBeGreaterThan(0);
    await run('dns', 'secondary', 'remove', 'signer', '--yes');
    await expect.poll(pending, NOTICED).toBe(0);
  });

  test('success: a key is replaced while transfers go on, also during maintenance; a revoked one is refused', async () => {
    const { run, createKey, key, port, domains } = await production(9, 'sandbox');
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
    // Its serials are recorded under any name. For one that keeps requesting whole zones the serial it sends counts, not the one it got.
    const request = { host: '127.0.0.1', port, zone: 'ee', key: second };
    const soa = (await transferZone(request).next()).value?.[0];
    if (soa?.type !== 'SOA') throw new Error('no SOA');
    expect((await transferAnswers(request, soa).next()).value?.message.answers).toHaveLength(1);
    const serials = async () => {
      const { stdout } = await run('dns', 'secondary', 'list', '--json');
      return (JSON.parse(stdout) as { serials: string[] }[])[0]?.serials;
    };
    await expect.poll(serials, NOTICED).toEqual([`ee ${soa.data.serial}`]);
  });

  test.skipIf(isMissing || !process.env.TORTURE)(
    `success: Knot follows what is registered, held and deleted${reason}`,
    async () => {
      const knotPort = await freePort();
      const { db, key, port, domains, run } = await production(knotPort);
      const knot = await startKnot(root, { zone: 'ee', primaryPort: port, key, port: knotPort });
      const ask = (name: string, type: string) => askServer(root, knot.port, name, type);
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
      await db.run(sql`update zone_serials set published_at = published_at - interval '1 hour'`);
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

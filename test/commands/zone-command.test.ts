import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ee } from '../../src/policy/ee.ts';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { alpha } from '../support/client.ts';
import { freshName, hosts, Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { DomainTables, Replay } from '../support/zones.ts';

let registry: TestRegistry;
const run = (...args: string[]) =>
  cadastre(['zone', ...args], { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
beforeAll(async () => {
  registry = await startRegistry();
  const registrant = await Registrant.of(alpha(registry.url));
  for (const zone of ['ee', 'ee', 'pri.ee']) await registrant.register({ name: freshName(zone) });
});
afterAll(() => registry.stop());

describe('cadastre zone', () => {
  test('success: every zone of the policy in its order, with its domains and prices', async () => {
    const outcome = await run('list', '--json');
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const [priced] = await registry.sql.rows(sql<{ count: number }>`
      select count(*)::int as count from prices where zone = 'med.ee'`);
    expect(JSON.parse(outcome.stdout)).toEqual(
      ee.zones.map(({ origin }) => ({
        zone: origin,
        domains: { ee: 2, 'pri.ee': 1 }[origin] ?? 0,
        prices: priced?.count,
        suggested: 'yes',
      })),
    );
    expect(priced?.count).toBeGreaterThan(0);
  });

  test('success: as a table', async () => {
    const { stdout, code } = await run('list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ZONE +DOMAINS +PRICES +SUGGESTED\nee +2 +\d+ +yes\n/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(ee.zones.length + 1);
  });

  test('failure: a zone is not created by a command; it is a usage error, which ends with 2', async () => {
    const outcome = await run('add', 'fi');
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toMatch(/^error: .+/);
  });
});

const serials = async () => JSON.parse((await run('serial', '--json')).stdout);
const settled = () =>
  vi.waitFor(
    async () =>
      expect(
        await registry.sql.rows(
          sql`select from zone_marks m left join zones z using (zone) where z.frozen_since is null`,
        ),
      ).toHaveLength(0),
    { timeout: 20_000, interval: 20 },
  );
const DIGEST = '0123456789abcdef'.repeat(4);

describe('publication', () => {
  const [name, held] = [freshName('pri.ee'), freshName('pri.ee')];
  beforeAll(async () => {
    const registrant = await Registrant.of(alpha(registry.url));
    for (const one of [name, held])
      await registrant.register({
        name: one,
        nameservers_attributes: hosts('ns1.example.net', 'ns2.example.net'),
      });
    await registry.sql.run(sql`update domains set statuses = '{"clientHold": ""}' where name = ${held}`);
    await settled();
  });

  test('success: a registration by REST is published within half a second, and shown', async () => {
    const { stdout, code } = await run('show', name);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^name +.+\nzone +pri\.ee\ninZone +yes\nwaitingSince +-\n\n/);
    expect(stdout).toContain(`${name}. 3600 IN NS ns1.example.net.\n${name}. 3600 IN NS ns2.example.net.\n`);
    expect(JSON.parse((await run('show', held, '--json')).stdout)).toMatchObject({
      inZone: false,
      records: [],
    });
    expect(JSON.parse((await run('show', 'pri.ee', '--json')).stdout)).toMatchObject({
      zone: 'ee',
      inZone: true,
    });
    const ee = (await run('show', 'EE.')).stdout;
    expect(ee).toMatch(/\nee\. 86400 IN SOA ns1\.registry\.example\. .+\nee\. 86400 IN NS ns1/);
    expect((await run('show', 'example.fi')).stderr).toContain('is no zone of this registry');
  });

  test('success: a host below a domain is shown where its addresses are published', async () => {
    const [domain, host] = ['glue-shown.ee', 'ns1.glue-shown.ee'];
    const tables = new DomainTables(registry.sql);
    await tables.create(domain, [host]);
    await settled();
    const { stdout } = await run('show', `${host.toUpperCase()}.`);
    expect(stdout).toMatch(/^name +ns1\.glue-shown\.ee\ndomain +glue-shown\.ee\nzone +ee\ninZone +yes\n/);
    expect(stdout.split('\n').slice(6)).toEqual([`${host}. 3600 IN A 192.0.2.1`, '']);
    const other = JSON.parse((await run('show', `ns2.${domain}`, '--json')).stdout);
    expect(other).toMatchObject({ domain, inZone: false, records: [] });
    await tables.remove(domain);
  });

  test('success: a zone file, and the same one again', async () => {
    const { stdout, code } = await run('export', 'pri.ee');
    const { serial } = (await serials()).find(({ zone }: { zone: string }) => zone === 'pri.ee');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      `pri.ee. 86400 IN SOA ns1.registry.example. hostmaster.registry.example. ${serial} 3600 900 1209600 3600`,
      'pri.ee. 86400 IN NS ns1.registry.example.',
      'pri.ee. 86400 IN NS ns2.registry.example.',
      `${name}. 3600 IN NS ns1.example.net.`,
      `${name}. 3600 IN NS ns2.example.net.`,
      '',
    ]);
    expect((await run('export', 'pri.ee')).stdout).toBe(stdout);
    const records = JSON.parse((await run('export', 'pri.ee', '--json')).stdout);
    expect(records).toHaveLength(5);
    expect(records[0]).toMatchObject({ type: 'SOA', data: { serial } });
    expect((await run('export', 'fi')).code).toBe(1);
  });

  test('success: a frozen zone waits, a dry run freezes nothing, and history knows who froze it', async () => {
    const frozen = async () => (await serials()).find(({ zone }: { zone: string }) => zone === 'pri.ee');
    expect((await run('freeze', 'pri.ee', '--reason', 'wrong import', '--dry-run')).code).toBe(0);
    expect(await frozen()).toMatchObject({ frozenSince: null });
    expect((await run('freeze', 'pri.ee', '--reason', 'wrong import')).stdout).toBe(
      'pri.ee is frozen: changes of its domains wait.\n',
    );
    await registry.sql.run(sql`update domains set statuses = '{}' where name = ${held}`);
    expect(await frozen()).toMatchObject({ frozenReason: 'wrong import', waiting: 1 });
    expect((await run('freeze', 'pri.ee', '--reason', 'again')).code).toBe(1);
    expect((await run('freeze', 'pri.ee', '--reason', ' ')).stderr).toContain('must not be empty');
    expect((await run('rebuild', 'pri.ee')).stderr).toContain('pri.ee is frozen since');
    expect((await run('raise', 'pri.ee', '--above', '2031013101', '--yes')).stderr).toContain('is frozen');
    const checked = await run('check', 'pri.ee', '--json');
    expect([checked.code, JSON.parse(checked.stdout)]).toEqual([
      0,
      [{ zone: 'pri.ee', domains: 1, waiting: 1, differences: [], count: 0 }],
    ]);
    expect((await run('thaw', 'pri.ee', '--json')).code).toBe(0);
    expect((await run('thaw', 'pri.ee')).stderr).toBe('pri.ee is not frozen.\n');
    await settled();
    expect((await run('export', 'pri.ee')).stdout).toContain(`${held}. 3600 IN NS`);
    const { stdout: history } = await cadastre(['history', 'pri.ee', '--json'], {
      env: { DATABASE_URL: databaseUrl(registry.databaseName) },
    });
    expect(JSON.parse(history)).toMatchObject([
      { operation: 'freeze', reason: 'wrong import' },
      { operation: 'thaw', reason: null },
    ]);
  });

  test('success: the signers of a zone below are published by the zone above', async () => {
    const show = async () => (await run('show', 'com.ee')).stdout;
    expect((await run('ds', 'com.ee')).stdout).toBe('(none)\n');
    expect((await run('ds', 'com.ee', `4711 13 2 ${DIGEST}`)).stdout).toBe(
      'ee delegates com.ee with 1 delegation signer.\n',
    );
    await expect.poll(show).toContain(`com.ee. 3600 IN DS 4711 13 2 ${DIGEST.toUpperCase()}`);
    expect(JSON.parse((await run('ds', 'com.ee', '--json')).stdout)).toMatchObject([{ keyTag: 4711 }]);
    expect((await run('ds', 'com.ee', '--none')).stderr).toContain('add --yes if it is meant');
    expect(await show()).toContain(' DS ');
    expect((await run('ds', 'com.ee', '--none', '--yes')).stdout).toContain('with 0 delegation signers');
    await expect.poll(show).not.toContain(' DS ');
    expect((await run('ds', 'ee')).stderr).toContain('send its DS to the parent');
    expect((await run('ds', 'com.ee', '1 13 2 AB')).stderr).toContain('is no DS record');
    expect((await run('ds', 'com.ee', `1 13 2 ${DIGEST}`, '--none')).stderr).toContain('exclude each other');
  });

  test('success: a zone is published above the serial of a server, and continues from there', async () => {
    const serialOf = async () =>
      (await serials()).find(({ zone }: { zone: string }) => zone === 'med.ee').serial;
    const before = await serialOf();
    const raise = (above: number | string, ...more: string[]) =>
      run('raise', 'med.ee', '--above', String(above), ...more);
    expect((await raise(2_031_013_101)).stderr).toContain('add --yes if it is meant');
    expect((await raise(2_031_013_101, '--dry-run')).stdout).toContain('med.ee has serial 2031013102');
    expect(await serialOf()).toBe(before);
    expect((await raise(2_031_013_101, '--yes')).stdout).toBe(
      `med.ee has serial 2031013102 instead of ${before}.\n`,
    );
    expect(await serialOf()).toBe(2_031_013_102);
    expect((await raise(2_031_013_101, '--yes')).stderr).toContain('is later than 2031013101 already');
    expect((await raise(2 ** 32, '--yes')).stderr).toContain('a whole number below 4294967296');
    expect((await raise(2_031_013_102 - 2 ** 31 + 2 ** 32 - 1, '--yes')).stderr).toContain(
      'half of all serials',
    );
  });

  test('success: a serial that is ahead is led back to the date; failure: one that is not, or behind a secondary', async () => {
    const lower = (zone: string, ...more: string[]) => run('lower', zone, ...more);
    expect((await lower('med.ee')).stderr).toContain('add --yes if it is meant');
    const first = await lower('med.ee', '--yes', '--json');
    const { before, serial, isLast } = JSON.parse(first.stdout);
    expect([serial, isLast]).toEqual([before + 2 ** 31 - 1, false]);
    await registry.sql.run(sql`
      insert into dns_secondaries (name, address, port, created_at) values ('late', '192.0.2.1', 53, now())`);
    expect((await lower('med.ee', '--yes')).stderr).toContain('do not have the first step yet: late');
    await registry.sql.run(sql`update dns_secondaries set removed_at = now() where name = 'late'`);
    expect((await lower('med.ee', '--yes')).stdout).toMatch(
      /instead of \d+\. It follows the date again\.\n$/,
    );
    expect((await lower('med.ee', '--yes')).stderr).toBe('The serial of med.ee is not ahead of the date.\n');
  });

  test('failure: a check that finds a difference says which, and a rebuild removes it', async () => {
    expect(await run('check')).toMatchObject({ code: 0, stderr: '' });
    await registry.sql.run(sql`delete from zone_records where domain = ${name}`);
    const checked = await run('check');
    expect(checked.code).toBe(1);
    expect(checked.stderr).toContain(`+ ${name}. 3600 IN NS ns1.example.net.\n`);
    expect(checked.stderr).toContain('not those of the domains in pri.ee; see: cadastre zone rebuild');
    expect((await run('rebuild', 'pri.ee', '--dry-run')).stdout).toContain('1 name of pri.ee was changed');
    expect((await run('check', 'pri.ee')).code).toBe(1);
    expect((await run('rebuild', 'PRI.ee.', '--reason', 'damaged')).stdout).toMatch(
      /^1 name of pri.ee was changed, by serial \d+\.\n$/,
    );
    const { stdout: history } = await cadastre(['history', 'pri.ee', '--json'], {
      env: { DATABASE_URL: databaseUrl(registry.databaseName) },
    });
    expect(JSON.parse(history).at(-1)).toMatchObject({ operation: 'rebuild', reason: 'damaged' });
    expect((await run('rebuild', 'pri.ee')).stdout).toBe('pri.ee was as its domains say.\n');
    expect((await run('check')).code).toBe(0);
  });

  test('success: a reset of the sandbox empties the zones by ordinary changes', async () => {
    const before = await Replay.of(registry.sql, 'pri.ee');
    await fetch(`${registry.url}/sandbox/reset`, { method: 'POST' });
    await settled();
    await before.follow(registry.sql, 'pri.ee');
    expect(before.lines).toEqual([
      'pri.ee. 86400 IN NS ns1.registry.example.',
      'pri.ee. 86400 IN NS ns2.registry.example.',
    ]);
  });
});

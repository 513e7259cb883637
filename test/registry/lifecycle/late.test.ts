import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { json } from '../../../src/platform/sql/statement.ts';
import { ee } from '../../../src/policy/ee.ts';
import { nextDue, runLifecycle } from '../../../src/registry/lifecycle/run-lifecycle.ts';
import { alpha, type Client } from '../../support/client.ts';
import { hosts, Registrant } from '../../support/domains.ts';
import { statusesOf } from '../../support/life.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

/** A worker that was down at the due time and runs later. */
let registry: TestRegistry;
let database: Database;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  const limits = { readConnections: 1, listConnections: 1, writeConnections: 1 };
  database = openDatabase(
    { ...inject('server'), database: registry.databaseName },
    { ...limits, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 },
    ee.timeZone,
  );
});
afterAll(async () => {
  await database.close();
  await registry.stop();
});

const register = async () =>
  (await Registrant.of(client)).register({
    nameservers_attributes: hosts('ns1.hoster.example', 'ns2.hoster.example'),
  });
/** Far in the future, where the sandbox's own worker finds nothing due. */
const noon = (day: string) => new Date(`${day}T12:00:00+02:00`);
const comeAt = (day: string) => runLifecycle(database, noon(day), ee, true);
const FORCE_DELETE = {
  kind: 'fast track',
  reason: 'x',
  added: ['serverForceDelete'],
  taken: {},
  warned: true,
  held: false,
};

/** Under force delete from the first of November 2060 on. */
async function underForceDelete({ expiry }: { expiry: string }): Promise<string> {
  const name = await register();
  await registry.sql.run(sql`
    update domains set statuses = '{"serverForceDelete": ""}', expire_time = ${`${expiry}T00:00:00+02:00`}::text::timestamptz,
      force_delete_start = '2060-11-01', force_delete_date = '2060-12-16', force_delete = ${json(FORCE_DELETE)}
    where name = ${name}`);
  return name;
}
/** To be deleted on the first of November 2060. */
async function toBeDeleted(): Promise<string> {
  const name = await register();
  await registry.sql.run(sql`
    update domains set statuses = '{"pendingDelete": "", "serverHold": ""}', hold_causes = '["expiry"]', expire_time = '2061-01-01', delete_date = '2060-11-01'
    where name = ${name}`);
  return name;
}
const purgeAt = async (name: string): Promise<number> => {
  const [row] = await registry.sql.rows(sql`select purge_at from domains where name = ${name}`);
  return row?.purge_at.getTime();
};
const forget = (name: string) => registry.sql.rows(sql`delete from domains where name = ${name}`);

describe('the hold of a force delete', () => {
  test.each([
    ['2060-11-16', '2060-11-16'],
    ['2060-11-20', '2060-11-16'],
    ['2060-11-20', '2060-11-25'],
    ['2061-11-20', '2060-12-10'],
  ])('success: of a domain that expires on %s, by a worker that runs on %s', async (expiry, day) => {
    const name = await underForceDelete({ expiry });
    await comeAt('2060-11-15');
    expect(await statusesOf(client, name)).not.toContain('clientHold');
    await comeAt(day);
    expect(await statusesOf(client, name)).toContain('clientHold');
    await forget(name);
  });

  test.each([['2060-11-16'], ['2060-11-17'], ['2060-12-10']])(
    'failure: the domain expires before that day; on %s nothing is due any more',
    async (day) => {
      const name = await underForceDelete({ expiry: '2060-11-15' });
      await comeAt(day);
      expect(await statusesOf(client, name)).not.toContain('clientHold');
      expect((await nextDue(database, ee))?.getTime()).toBeGreaterThan(noon(day).getTime());
      await forget(name);
    },
  );

  test('success: after a late run nothing is due before the next date of its lifecycle', async () => {
    const name = await underForceDelete({ expiry: '2060-11-20' });
    await comeAt('2060-11-25');
    expect((await nextDue(database, ee))?.getTime()).toBeGreaterThan(noon('2060-11-25').getTime());
    await forget(name);
  });
});

describe('the release', () => {
  test.each([['2060-11-02'], ['2060-12-24']])(
    'success: by a worker that runs on %s, it leaves the domain a day',
    async (day) => {
      for (let chance = 0; chance < 5; chance++) {
        const name = await toBeDeleted();
        await comeAt(day);
        expect(await statusesOf(client, name)).toContain('deleteCandidate');
        const distance = (await purgeAt(name)) - noon(day).getTime();
        expect(distance).toBeGreaterThanOrEqual(0);
        expect(distance).toBeLessThan(86_400_000);
        await runLifecycle(database, new Date(noon(day).getTime() + 86_400_000), ee, true);
        expect((await client.get(`/domains/${name}`)).status).toBe(410);
      }
    },
  );

  test('success: on its own day, it is purged before that day is over', async () => {
    const name = await toBeDeleted();
    await comeAt('2060-11-01');
    const purge = await purgeAt(name);
    expect(purge).toBeGreaterThanOrEqual(noon('2060-11-01').getTime());
    expect(purge).toBeLessThan(Date.parse('2060-11-02T00:00:00+02:00'));
    await forget(name);
  });

  test('failure: the day before', async () => {
    const name = await toBeDeleted();
    await comeAt('2060-10-31');
    expect(await statusesOf(client, name)).toEqual(['pendingDelete', 'serverHold']);
    await forget(name);
  });
});

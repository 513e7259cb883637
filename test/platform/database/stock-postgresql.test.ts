import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { PLANNER } from '../../../src/platform/database/session-settings.ts';
import { checkSessions } from '../../../src/platform/database/session-check.ts';
import { ee } from '../../../src/policy/ee.ts';
import { cadastre, databaseUrl, startServe } from '../../support/cadastre.ts';
import { install, makeEveryCall, makeLogins, makeTraffic } from '../../support/production-set-up.ts';
import { sql } from '../../support/sql.ts';
import { findPostgres15, type StockServer, startStockPostgres } from '../../support/stock-postgresql.ts';

const binaries = findPostgres15();
const reason = 'reason' in binaries ? binaries.reason : undefined;
if (reason) process.stderr.write(`The tests on PostgreSQL 15 are skipped: ${reason}.\n`);

describe.skipIf(reason)('PostgreSQL 15 as Debian has it, with its own settings', () => {
  let server: StockServer;
  let urls: { readonly DATABASE_OWNER_URL: string; readonly DATABASE_URL: string };
  let database: Database;
  const config = readConfig('production', {});
  beforeAll(async () => {
    if ('reason' in binaries) return;
    server = await startStockPostgres(binaries);
    const { host, port, superuser: username } = server;
    const { owner, serving } = await makeLogins({ host, port, username, database: 'postgres' }, 'registry');
    const urlOf = (login: string) => databaseUrl('registry', { ...server, username: login, database: '' });
    urls = { DATABASE_OWNER_URL: urlOf(owner), DATABASE_URL: urlOf(serving) };
    await install(urls);
    database = openDatabase(urls.DATABASE_URL, config, ee.timeZone);
  });
  afterAll(async () => {
    await database?.close();
    await server?.stop();
  });

  test('success: every pool has its settings, and no JIT compilation', async () => {
    expect(await checkSessions(database, config, ee.timeZone)).toEqual([]);
    const jitOf = (db: Pick<Database['reads'], 'one'>) =>
      db.one(sql<{ jit: string }>`select current_setting('jit') as jit`);
    const { reads, lists, writes } = database;
    expect(await Promise.all([jitOf(reads), jitOf(lists), jitOf(writes), writes.begin(jitOf)])).toEqual(
      Array(4).fill({ jit: 'off' }),
    );
    const planOf = async (db: Pick<Database['reads'], 'rows'>) =>
      JSON.stringify(await db.rows(sql`explain (analyze, costs off) select count(*) from domains`));
    expect(await planOf(writes)).not.toContain('JIT');
    // The same plan is compiled where only the planner is as ours, which is what makes it look so expensive.
    const [{ available } = { available: false }] = await reads.rows(
      sql<{ available: boolean }>`select pg_jit_available() as available`,
    );
    const withJit = await writes.begin(async (db) => {
      await db.script(`set local jit = on; set local enable_seqscan = ${PLANNER.enable_seqscan}`);
      return planOf(db);
    });
    expect(withJit.includes('JIT')).toBe(available);
  });

  test('success: it is migrated and served as any other, and the doctor finds it in order', async () => {
    const served = await startServe(urls.DATABASE_URL);
    try {
      await makeEveryCall(served.url);
      const names = await makeTraffic(served.url, 10);
      expect(
        await database.reads.one(
          sql`select count(*)::int as count from domains where name = any(${names}::text[])`,
        ),
      ).toEqual({ count: 10 });
    } finally {
      expect(await served.stop()).toBe(0);
    }
    const { stdout } = await cadastre(['doctor', '--json'], { env: urls });
    const findings = JSON.parse(stdout) as { check: string; state: string; says: string }[];
    expect(
      findings.filter(({ check }) => check === 'database').map(({ state, says }) => [state, says]),
    ).toEqual([
      ['ok', expect.stringMatching(/^PostgreSQL 15\./)],
      ['ok', 'the schema is at the version of this program'],
      ['ok', 'our sessions have the role, the time-outs, the zone and the planner that we need'],
      ['ok', expect.stringMatching(/^a serve opens up to \d+ connections of the 97 that the server admits$/)],
    ]);
  });
});

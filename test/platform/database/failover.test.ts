import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seedDatabaseWithin } from '../../../src/app/seed.ts';
import { registerDatabaseMetrics } from '../../../src/app/watch-database.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { classifyDatabaseError, codeOf } from '../../../src/platform/database/database-errors.ts';
import { migrate } from '../../../src/platform/migrations/migrate.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { ee } from '../../../src/policy/ee.ts';
import { Cluster } from '../../../torture/database/cluster.ts';
import { rehearseFailovers } from '../../../torture/failover/rehearse-failovers.ts';
import type { Settings } from '../../../torture/upgrade/release-process.ts';
import { startServe } from '../../support/cadastre.ts';
import { DatabaseProxy } from '../../support/database-proxy.ts';
import { samplesIn } from '../../support/metrics.ts';
import { placeOfHomes } from '../../support/prepared-home.ts';
import { quicklyHashedSeedLogins } from '../../support/quick-passwords.ts';

/** Half a second on an idle machine; the rest is for a busy one. */
const FOUND_WITHIN_MS = 5_000;
const READ_ONLY = '25006';
const NO_WRITES = 'the server takes no writes';
/** The shortest interval at which connections to a read-only server are replaced. */
const REPLACED_EVERY_MS = 200;

const IS_LONG = process.env.TORTURE !== undefined;
/** In this process the servers have been loaded and compiled already. */
const LOAD = IS_LONG
  ? { writers: 16, readers: 4, restMs: 2_000 }
  : {
      writers: 16,
      readers: 2,
      restMs: 200,
      start: (settings: Settings) => startServe(settings.DATABASE_URL ?? '', settings),
    };

const home = mkdtempSync(path.join(placeOfHomes(), 'cadastre-failover-'));
chmodSync(home, 0o711); // as root the database runs under another account, which needs access
const config = readConfig('production', {});
const opened: Database[] = [];
let cluster: Cluster;
let standbyFirst: string;
/** One server alone, by its place in the cluster. */
let alone: (place: number, attributes?: string) => string;

function open(url: string): Database {
  const database = openDatabase(url, config, 'UTC');
  opened.push(database);
  return database;
}
const insert = (database: Database, mark: string) =>
  database.writes.run(sql`insert into marks values (${mark})`);
const failureOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);
const marks = async (database: Database) =>
  (await database.reads.rows(sql<{ mark: string }>`select mark from marks order by mark`)).map(
    ({ mark }) => mark,
  );

/** Writes as often as a busy process, and returns when a write first succeeded. */
async function untilWritten(database: Database, mark: string): Promise<number> {
  for (;;) {
    const failure = await failureOf(insert(database, mark));
    if (failure === undefined) return performance.now();
    expect(classifyDatabaseError(failure)).toBe('unavailable');
    await sleep(10);
  }
}

/** When a standby has become a primary, by its own socket. */
const whenPromoted = (server: Cluster['primary']): Promise<number> =>
  cluster.withOwner(async (db) => {
    const isStandby = sql<{ so: boolean }>`select pg_is_in_recovery() as so`;
    while ((await db.one(isStandby)).so) await sleep(5);
    return performance.now();
  }, server);

describe.skipIf(process.platform !== 'linux')(
  'a primary and its standby',
  { timeout: IS_LONG ? 300_000 : 60_000 },
  () => {
    beforeAll(async () => {
      cluster = await Cluster.open(home, { addressMode: 'hosts', hasStandby: true });
      await cluster.withOwner(async (db) => {
        await migrate(db, 'production', new Date());
        const logins = await quicklyHashedSeedLogins();
        await db.begin((transaction) => seedDatabaseWithin(transaction, ee, new Date(), logins));
        await db.script('create table marks (mark text not null); grant all on marks to cadastre_app');
      });
      // A standby that does not have our role yet would be skipped for that reason alone.
      await cluster.withOwner(async (db) => {
        const isThere = sql<{ so: boolean }>`select to_regclass('marks') is not null as so`;
        while (!(await db.one(isThere)).so) await sleep(10);
      }, cluster.standby);
      const [a, b] = cluster.proxies.map(({ port }) => `127.0.0.1:${port}`);
      standbyFirst = cluster.url.replace(`${a},${b}`, `${b},${a}`);
      alone = (place, attributes) =>
        cluster.url
          .replace(`${a},${b}`, `${[a, b][place]}`)
          .replace(/\?.*/, attributes === undefined ? '' : `?target_session_attrs=${attributes}`);
    });
    afterEach(async () => {
      for (const database of opened.splice(0)) await database.close();
    });
    afterAll(async () => {
      await cluster?.close(false);
      rmSync(home, { recursive: true, force: true });
    });

    test('success: the primary is found where the standby is listed first', async () => {
      const database = open(standbyFirst);
      await Promise.all([
        insert(database, 'single'),
        database.writes.begin((db) => db.run(sql`insert into marks values ('transaction')`)),
      ]);
      const { standby } = await database.reads.one(
        sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`,
      );
      expect(standby).toBe(false);
      expect(await marks(database)).toEqual(['single', 'transaction']);
    });

    test('success: standbys are counted, and detailed for a role that may read statistics', async () => {
      const metrics = new Metrics();
      registerDatabaseMetrics(metrics, open(cluster.url));
      const samples = async () => samplesIn(await metrics.registry.metrics());
      const blind = await samples();
      expect(blind.get('cadastre_standbys{sync_state="unknown"}')).toBe(1);
      expect(blind.get('cadastre_standbys{sync_state="sync"}')).toBe(0);
      expect(blind.get('cadastre_synchronous_commit_required')).toBe(1);
      expect([...blind.keys()].filter((key) => key.startsWith('cadastre_standby_'))).toEqual([]);
      await cluster.withOwner((db) => db.script('grant pg_read_all_stats to cadastre_app'));
      const sync = async () => (await samples()).get('cadastre_standbys{sync_state="sync"}');
      await expect.poll(sync).toBe(1);
      const seeing = await samples();
      expect(seeing.get('cadastre_standbys{sync_state="unknown"}')).toBe(0);
      const lags = [...seeing].filter(([key]) => key.startsWith('cadastre_standby_'));
      expect(lags.map(([key]) => key)).toEqual([
        expect.stringMatching(/^cadastre_standby_replay_lag_seconds\{standby="\w+"\}$/),
        expect.stringMatching(/^cadastre_standby_replay_lag_bytes\{standby="\w+"\}$/),
      ]);
      for (const [, lag] of lags) expect(lag).toBeGreaterThanOrEqual(0);
      const onStandby = new Metrics();
      registerDatabaseMetrics(onStandby, open(alone(1)));
      expect(samplesIn(await onStandby.registry.metrics()).get('cadastre_database_standby')).toBe(1);
    });

    test('failure: a standby alone accepts no writes, and says so', async () => {
      const nobody = standbyFirst.replace(`,127.0.0.1:${cluster.proxies[0]?.port}`, ',127.0.0.1:1');
      const urls = [alone(1, 'read-write'), alone(1, 'primary'), nobody];
      const failures = await Promise.all(urls.map((url) => failureOf(insert(open(url), 'lost'))));
      expect(failures.map(classifyDatabaseError)).toEqual(Array(3).fill('unavailable'));
      const [readWrite, primary, both] = failures.map((failure) => (failure as Error).message);
      expect([readWrite, primary]).toEqual([NO_WRITES, NO_WRITES]);
      const standby = `127.0.0.1:${cluster.proxies[1]?.port}`;
      expect(both).toContain(`${standby}: ${NO_WRITES}`);
      expect(both).toContain('127.0.0.1:1: connect ECONNREFUSED');
    });

    test('failure: without target_session_attrs it is read, and failing writes do not replace its connections each time', async () => {
      const database = open(alone(1));
      const began = performance.now();
      const processes = new Set<number>();
      while (processes.size < 3) {
        expect(codeOf(await failureOf(insert(database, 'lost')))).toBe(READ_ONLY);
        const { pid } = await database.reads.one(sql<{ pid: number }>`select pg_backend_pid() as pid`);
        processes.add(pid);
      }
      expect(processes.size).toBeLessThanOrEqual(2 + (performance.now() - began) / REPLACED_EVERY_MS);
    });

    test('failure: while the standby that commits wait for is away, /ready says that no write ends, and reads are answered', async () => {
      const serve = await startServe(cluster.url);
      const ready = async () => {
        const reply = await fetch(`${serve.url}/ready`);
        return { code: reply.status, ...((await reply.json()) as object) };
      };
      const answer = { code: 200, status: 'ready', standby: false };
      expect(await ready()).toMatchObject({ ...answer, writable: true, standbyMissing: false });
      await cluster.standby?.stop();
      await expect.poll(ready).toMatchObject({ ...answer, writable: false, standbyMissing: true });
      await cluster.makeStandby();
      await expect.poll(ready).toMatchObject({ ...answer, writable: true, standbyMissing: false });
      await serve.stop();
    });

    test('success: a primary that was killed and started again is written to soon', async () => {
      const database = open(cluster.url);
      await insert(database, 'before the kill');
      await cluster.primary.kill9();
      const written = untilWritten(database, 'after the kill');
      await cluster.primary.start();
      const started = performance.now();
      const ms = (await written) - started;
      expect(ms).toBeLessThan(FOUND_WITHIN_MS);
    });

    test('success: under load a failover neither loses nor duplicates a write, lists are complete, and a standby alone is not ready', async () => {
      const report = await rehearseFailovers({ cluster, times: IS_LONG ? 10 : 1, ...LOAD });
      process.stderr.write(`failover, sync: ${JSON.stringify(report)}\n`);
      expect(report).toMatchObject({
        standby: 'sync',
        findings: [],
        writes: { refused: 0, lost: 0, doubled: 0 },
        lists: { missed: 0 },
      });
      expect(report.writes.acknowledged).toBeGreaterThan(16);
      expect(report.lists.replica).toBeGreaterThan(0);
      for (const { foundMs } of report.failovers) expect(foundMs).toBeLessThan(FOUND_WITHIN_MS);
    });

    test.runIf(IS_LONG)(
      'failure: an asynchronous standby loses acknowledged writes, and the audit counts them',
      async () => {
        await cluster.setStandbyMode('async');
        const report = await rehearseFailovers({ cluster, times: 4, ...LOAD });
        await cluster.setStandbyMode('sync');
        process.stderr.write(`failover, async: ${JSON.stringify(report)}\n`);
        expect(report).toMatchObject({ standby: 'async', findings: [], writes: { doubled: 0 } });
        expect(report.writes.lost).toBeGreaterThan(0);
        expect(report.failovers.at(-1)?.lost).toBeGreaterThan(0);
      },
    );

    test('success: a server that became read-only is replaced by the new primary, with several addresses and behind one', async () => {
      const { primary: former, standby: next } = cluster;
      if (next === undefined) throw new Error('there is no standby');
      const proxy = await DatabaseProxy.open(former.address);
      const databases = [
        open(cluster.url),
        open(`postgres://${former.address.username}@127.0.0.1:${proxy.port}/${former.address.database}`),
      ];
      const names = ['of several', 'behind one address'];
      for (const [place, database] of databases.entries()) {
        await insert(database, `${names[place]} before`);
        await database.writes.begin((db) => db.run(sql`select 1`));
      }
      await cluster.withOwner(async (db) => {
        await db.script('alter system set default_transaction_read_only = on');
        await db.rows(sql`select pg_reload_conf()`);
      });
      const single = databases[1];
      if (single === undefined) throw new Error('there is no database');
      const readOnly = sql<{ so: boolean }>`select current_setting('transaction_read_only') = 'on' as so`;
      await expect.poll(async () => (await single.reads.one(readOnly)).so, { interval: 10 }).toBe(true);
      const refused = await Promise.all(databases.map((database) => failureOf(insert(database, 'lost'))));
      expect(refused.map(codeOf)).toEqual([READ_ONLY, READ_ONLY]);
      expect(refused.map(classifyDatabaseError)).toEqual(['unavailable', 'unavailable']);
      const written = databases.map((database, place) => untilWritten(database, `${names[place]} after`));
      await cluster.withOwner((db) => db.rows(sql`select pg_promote(false)`), next);
      const promoted = await whenPromoted(next);
      proxy.switchTo(next.address, false);
      for (const at of await Promise.all(written)) expect(at - promoted).toBeLessThan(FOUND_WITHIN_MS);
      for (const database of databases) {
        await database.writes.begin((db) => db.run(sql`insert into marks values ('transaction after')`));
        expect(await marks(database)).not.toContain('lost');
      }
      for (const database of opened.splice(0)) await database.close();
      await proxy.close();
    });
  },
);

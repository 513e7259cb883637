import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { registerInDatabase } from '../../../src/platform/database-metrics.ts';
import { Metrics } from '../../../src/platform/metrics.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { migrate } from '../../../src/platform/migrations/migrate.ts';
import { serverMetrics } from '../../../src/platform/database/server-metrics.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { Cluster } from '../../../torture/database/cluster.ts';
import { samplesIn } from '../../support/metrics.ts';
import { placeOfHomes } from '../../support/prepared-home.ts';

const home = mkdtempSync(path.join(placeOfHomes(), 'cadastre-replica-'));
chmodSync(home, 0o711); // as root the database runs under another account, which needs access
const config = readConfig('production', {});
const opened: Database[] = [];
let cluster: Cluster;

const standbyUrl = (attributes = 'prefer-standby') =>
  cluster.url.replace('target_session_attrs=read-write', `target_session_attrs=${attributes}`);
function open(replicaUrl: string): Database {
  const database = openDatabase(cluster.url, { ...config, replicaUrl }, 'UTC');
  opened.push(database);
  return database;
}
const insert = (database: Database, mark: number) =>
  database.writes.run(sql`insert into marks values (${mark})`);
const last = sql<{ mark: number; isStandby: boolean }>`
  select max(mark) as mark, pg_is_in_recovery() as "isStandby" from marks`;
/** No time passes meanwhile: a standby that is behind is waited for. Not for writes, which the server's own clock ends. */
async function patiently<T>(read: () => Promise<T>): Promise<T> {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  return read().finally(() => clock.mockRestore());
}
const onStandby = (text: string) => cluster.withOwner((db) => db.script(text), cluster.standby);

describe.skipIf(process.platform !== 'linux')('lists from a standby', () => {
  beforeAll(async () => {
    cluster = await Cluster.open(home, { addressMode: 'hosts', hasStandby: true });
    await cluster.withOwner(async (db) => {
      await migrate(db, 'production', new Date());
      await db.script('create table marks (mark integer not null); grant all on marks to cadastre_app');
    });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
  });
  afterAll(async () => {
    await cluster.close(false);
    rmSync(home, { recursive: true });
  });

  test('success: the standby answers, and a writer sees what it wrote, also through another process', async () => {
    const [writer, reader] = [open(standbyUrl()), open(standbyUrl())];
    for (let mark = 1; mark <= 200; mark++) {
      await insert(writer, mark);
      const rows = await patiently(() =>
        Promise.all([reader, writer].map((database) => database.replicaLists.one(last))),
      );
      expect(rows.map((row) => row.mark)).toEqual([mark, mark]);
    }
    // A standby may cancel a list because of a conflict with its replay.
    const { replica = 0, behind = 0, unavailable = 0 } = reader.replicaCounts?.() ?? {};
    expect(replica + behind + unavailable).toBe(200);
    expect(replica).toBeGreaterThan(100);
    expect(await reader.lists.one(last)).toEqual({ mark: 200, isStandby: false });
    expect((await patiently(() => reader.replicaLists.one(last))).isStandby).toBe(true);
  });

  test('success: a standby that lags is waited for briefly, and then the primary answers', async () => {
    const database = open(standbyUrl());
    await onStandby('select pg_wal_replay_pause()');
    try {
      await insert(database, 1_000);
      expect(await database.replicaLists.one(last)).toEqual({ mark: 1_000, isStandby: false });
      expect(database.replicaCounts?.()).toEqual({ replica: 0, behind: 1, unavailable: 0 });
    } finally {
      await onStandby('select pg_wal_replay_resume()');
    }
    await expect.poll(async () => (await database.replicaLists.one(last)).isStandby).toBe(true);
  });

  test('failure: an unavailable standby, a primary, and a server of another cluster are not used', async () => {
    const other = inject('server');
    const { primary } = cluster;
    for (const url of [
      'postgres://nobody@127.0.0.1:9/none',
      `postgres://${primary.address.username}@/${primary.address.database}?host=${encodeURIComponent(primary.address.host)}&port=${primary.address.port}`,
      `postgres://${other.username}@/${other.database}?host=${encodeURIComponent(other.host)}&port=${other.port}`,
    ]) {
      const database = open(url);
      await insert(database, 2_000);
      expect(await database.replicaLists.one(last)).toEqual({ mark: 2_000, isStandby: false });
      expect(database.replicaCounts?.()).toEqual({ replica: 0, behind: 0, unavailable: 1 });
    }
  });

  test('failure: an error of the statement is reported as the primary reports it', async () => {
    const database = open(standbyUrl());
    await expect(database.replicaLists.rows(sql`select from missing`)).rejects.toMatchObject({
      code: '42P01',
    });
    expect(await patiently(() => database.replicaLists.one(last))).toMatchObject({ isStandby: true });
  });

  test('success: the server reports for how many standbys it is set up, and how many there are', async () => {
    const database = open(standbyUrl());
    const metrics = new Metrics();
    const counts = async () => {
      const samples = samplesIn(await metrics.registry.metrics());
      // Without the right to read statistics their state is unknown.
      return ['cadastre_standbys_expected', 'cadastre_standbys{sync_state="unknown"}'].map((name) =>
        samples.get(name),
      );
    };
    registerInDatabase(metrics, database.writes, serverMetrics);
    const setUp = (names: string) =>
      cluster.withOwner(async (db) => {
        await db.script(`alter system set synchronous_standby_names = '${names}'`);
        await db.rows(sql`select pg_reload_conf()`);
      });
    expect(await counts()).toEqual([1, 1]);
    await setUp('ANY 1 (b, c)');
    await expect.poll(counts).toEqual([2, 1]);
    await cluster.withOwner((db) =>
      db.script(`select pg_create_physical_replication_slot(name) from unnest(array['x', 'y', 'z']) as name`),
    );
    await expect.poll(counts).toEqual([3, 1]);
    await cluster.withOwner((db) =>
      db.script(`select pg_drop_replication_slot(slot_name) from pg_replication_slots`),
    );
    await setUp('b');
    await expect.poll(counts).toEqual([1, 1]);
  });

  test('success: after a failover the new standby answers', async () => {
    const database = open(standbyUrl());
    const isOnStandby = async () => (await database.replicaLists.one(last)).isStandby;
    await expect.poll(isOnStandby).toBe(true);
    await cluster.failOver();
    const written = () =>
      insert(database, 3_000).then(
        () => true,
        () => false,
      );
    await expect.poll(written).toBe(true);
    expect((await database.replicaLists.one(last)).mark).toBe(3_000);
    await expect.poll(isOnStandby).toBe(true);
  });
});

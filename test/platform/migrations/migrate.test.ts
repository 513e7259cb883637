import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, inject, test } from 'vitest';
import type { Owner } from '../../../src/platform/database/database.ts';
import type { Sql } from '../../../src/platform/sql/executor.ts';
import { migrate, pendingMigrations } from '../../../src/platform/migrations/migrate.ts';
import {
  type Migration,
  migrationOf,
  readMigrations,
  readReleases,
} from '../../../src/platform/migrations/migration.ts';
import { runAndRollBack } from '../../../src/platform/sql/run-and-roll-back.ts';
import { nextReleaseHere } from '../../../torture/upgrade/release-tree.ts';
import { emptyDatabase, productionDatabase, spawnCadastre, startProcess } from '../../support/cadastre.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { runningTime } from '../../support/running-time.ts';
import { sql } from '../../support/sql.ts';
import { expect, onTestFinished } from '../../support/this-test.ts';

const AT = new Date('2026-11-16T12:00:00Z');
const ROWS = 2_000;
/** The longest stall of a request: the lock timeout of a migration, and a busy machine. */
const MAX_STALL_MS = 2_500;

/** The migrations of this version and further ones, each `[name, text]`; a name that ends in .online is one. */
const withMore = (...more: readonly (readonly [name: string, text: string])[]): Migration[] => [
  ...readMigrations(),
  ...more.map(([name, text], index) =>
    migrationOf(
      { version: 9001 + index, name: name.replace('.online', ''), text, isOnline: name.endsWith('.online') },
      readReleases(),
    ),
  ),
];

const SIZES = 'alter table callback_callers add column size int';
const INDEX = 'create index concurrently callers_size on callback_callers (size)';
const FILL = `
  update callback_callers set size = 1 where address in (
    select address from callback_callers where size is null limit 500);
  alter table callback_callers alter column size set not null`;

const upgrade = () =>
  withMore(['sizes', SIZES], ['sizes_indexed.online', INDEX], ['sizes_filled.online', FILL]);

async function database(rows = 0) {
  const { name, url, sql: db } = await productionDatabase();
  const connect = async (): Promise<Owner> => {
    const owner = await connectAsOwner({ ...inject('server'), database: name });
    onTestFinished(() => owner.close());
    return owner;
  };
  await db.run(
    sql`insert into callback_callers select n::text, now() from generate_series(1, ${rows}::int) n`,
  );
  const recorded = async () =>
    (
      await db.rows(
        sql<{ version: number }>`select version from schema_migrations where version > 9000 order by 1`,
      )
    ).map(({ version }) => version);
  const index = () =>
    db.maybe(sql`select indisvalid as valid from pg_index where indexrelid = to_regclass('callers_size')`);
  const left = async () =>
    (
      await db.one(
        sql<{ count: number }>`select count(*)::int as count from callback_callers where size is null`,
      )
    ).count;
  /** Ends the session that migrates, as the end of its process does. */
  const kill = () =>
    db.run(sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`);
  return { db, url, connect, recorded, index, left, kill };
}

/** Ends the session that migrates while its batch waits for a row; returns how many it ended. */
const killWhileWaiting = (db: Sql): Promise<number> =>
  db.run(sql`select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and a.wait_event_type = 'Lock'
      and l.database = (select oid from pg_database where datname = current_database())`);

describe.concurrent('online migrations', () => {
  test('success: killed during an index and during batches, it resumes where it was', async () => {
    const { db, connect, recorded, index, left, kill } = await database(ROWS);
    const migrations = upgrade();
    // An older snapshot keeps the index from being completed.
    const older = await connect();
    let first: Promise<unknown> | undefined;
    await older.begin(async (transaction) => {
      await transaction.script('set transaction isolation level repeatable read; select from registrars');
      first = migrate(await connect(), 'production', AT, migrations).catch((error: unknown) => error);
      await expect.poll(index).toEqual({ valid: false });
      await kill();
      expect(await first).toMatchObject({ code: expect.stringMatching(/57P01|CONNECTION_LOST/) });
    });
    expect([await recorded(), await index()]).toEqual([[9001], { valid: false }]);

    const progress: string[] = [];
    const onProgress = (state: string) => {
      progress.push(state);
      // Between two batches the session is replaced, and takes the lock again.
      if (state.endsWith('changed 500 rows')) void kill();
    };
    await migrate(await connect(), 'production', AT, migrations.slice(0, -1), { onProgress });
    expect(progress).toContain('Migration 9002 (sizes_indexed) builds the index callers_size');
    expect([await recorded(), await index()]).toEqual([[9001, 9002], { valid: true }]);

    await older.begin(async (transaction) => {
      await transaction.script(`select from callback_callers where address = '${ROWS}' for update`);
      const second = migrate(await connect(), 'production', AT, migrations, { onProgress });
      const ended = second.catch((error: unknown) => error);
      await expect.poll(() => killWhileWaiting(db)).toBe(1);
      expect(await ended).toMatchObject({ code: expect.stringMatching(/57P01|CONNECTION_LOST/) });
    });
    expect(progress).toContain('Migration 9003 (sizes_filled) has changed 1000 rows');
    expect(await recorded()).toEqual([9001, 9002]);
    expect(await left()).toBeGreaterThan(0);

    const applied = await migrate(await connect(), 'production', AT, migrations);
    expect(applied.map(({ version }) => version)).toEqual([9003]);
    expect([await recorded(), await left()]).toEqual([[9001, 9002, 9003], 0]);
    await expect(
      db.script('insert into callback_callers (address, verified_at) values (1, now())'),
    ).rejects.toMatchObject({
      code: '23502',
    });
  });

  test('success: an empty database gets the same in one transaction', async () => {
    const { sql: db } = await emptyDatabase();
    await migrate(db, 'production', AT, upgrade());
    expect(
      await db.rows(
        sql`select indisvalid as valid from pg_index where indexrelid = 'callers_size'::regclass`,
      ),
    ).toEqual([{ valid: true }]);
  });

  test('success: three hosts at once apply everything once', async () => {
    const { connect, recorded } = await database(ROWS);
    const migrations = upgrade();
    const all = await Promise.all(
      [1, 2, 3].map(async () => migrate(await connect(), 'production', AT, migrations)),
    );
    expect(all.map((applied) => applied.length).sort()).toEqual([0, 0, 3]);
    expect(await recorded()).toEqual([9001, 9002, 9003]);
  });

  test('failure: a statement after which it could not resume is refused before anything is done', async () => {
    const { connect, recorded, index } = await database();
    const text =
      'create index concurrently callers_size on callback_callers (verified_at); create table more (id int)';
    await expect(migrate(await connect(), 'production', AT, withMore(['more.online', text]))).rejects.toThrow(
      'Migration 9001 (more) cannot run online, since it could not be resumed after: create table more (id int)',
    );
    expect([await recorded(), await index()]).toEqual([[], undefined]);
  });
});

const KILLS = 12;

describe.runIf(process.env.TORTURE)('processes of migrate that are killed', () => {
  test('success: at any moment; the last one completes the migration', {
    timeout: 120_000,
  }, async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-killed-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { db, url, index, left } = await database(ROWS);
    const env = { DATABASE_URL: url, ...nextReleaseHere(folder) };
    writeFileSync(path.join(folder, '9001_sizes.sql'), SIZES);
    writeFileSync(path.join(folder, '9002_sizes_indexed.online.sql'), INDEX);
    writeFileSync(path.join(folder, '9003_sizes_filled.online.sql'), FILL.replace('limit 500', 'limit 5'));
    const isRunning = () =>
      db.maybe(sql`select from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`);
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, closed } = startProcess(['migrate'], env);
      await Promise.race([expect.poll(isRunning, { interval: 5 }).toBeDefined(), closed]);
      await sleep(kill * 15);
      child.kill('SIGKILL');
      await closed;
    }
    expect(await spawnCadastre(['migrate'], { env })).toMatchObject({ code: 0, stderr: '' });
    expect([await index(), await left()]).toEqual([{ valid: true }, 0]);
    const applied = db.rows(sql`select version, count(*)::int as count from schema_migrations
      where version > 9000 group by version order by version`);
    expect(await applied).toEqual([9001, 9002, 9003].map((version) => ({ version, count: 1 })));
    expect((await spawnCadastre(['migrate'], { env })).stdout).toBe('The schema is up to date.\n');
  });
});

describe.concurrent('locks', () => {
  test('success: with a long reader open, requests are delayed briefly, and the migration succeeds after it', async () => {
    const { db, connect, recorded } = await database(1);
    const [reader, requests] = [await connect(), await connect()];
    const waits: string[] = [];
    let longest = 0;
    const passed = runningTime();
    let migrating: Promise<unknown> | undefined;
    let isOver = false;
    const asking = async () => {
      while (!isOver) {
        const startedAt = passed();
        await requests.rows(sql`select address from callback_callers`);
        longest = Math.max(longest, passed() - startedAt);
        await sleep(1);
      }
    };
    await reader.begin(async (transaction) => {
      await transaction.script('select count(*) from callback_callers');
      const onProgress = (state: string) => state.includes('waits') && waits.push(state);
      migrating = migrate(await connect(), 'production', AT, withMore(['sizes', SIZES]), { onProgress });
      const asked = asking();
      await expect.poll(() => waits.length).toBeGreaterThanOrEqual(3);
      isOver = true;
      await asked;
    });
    await migrating;
    expect(waits[0]).toMatch(/^Migration 9001 \(sizes\) waits for its locks \(held by pid \d+, for \d+ s/);
    expect(longest).toBeLessThan(MAX_STALL_MS);
    expect(await recorded()).toEqual([9001]);
    expect(await db.rows(sql`select size from callback_callers`)).toEqual([{ size: null }]);
  });

  test('failure: a lock that is never released ends it, and what was applied before stays', async () => {
    const { connect, recorded } = await database();
    const migrations = withMore(['another', 'create table another (id int)'], ['sizes', SIZES]);
    const holding = await connect();
    await holding.begin(async (transaction) => {
      await transaction.script('select count(*) from callback_callers');
      await expect(
        migrate(await connect(), 'production', AT, migrations, { maxLockWaitMs: 2_000 }),
      ).rejects.toThrow(/^Migration 9002 \(sizes\) did not get its locks within 2 s \(held by pid \d+/);
    });
    expect(await recorded()).toEqual([9001]);
    expect((await migrate(await connect(), 'production', AT, migrations)).length).toBe(1);
  });

  test('failure: one that fails is rolled back as a whole, and those before it stay', async () => {
    const { db, connect, recorded } = await database();
    const broken = `${SIZES}; select 1 / 0`;
    const migrations = withMore(['another', 'create table another (id int)'], ['sizes', broken]);
    await expect(migrate(await connect(), 'production', AT, migrations)).rejects.toMatchObject({
      code: '22012',
    });
    expect(await recorded()).toEqual([9001]);
    expect(
      await db.rows(
        sql`select from pg_attribute where attname = 'size' and attrelid = 'callback_callers'::regclass`,
      ),
    ).toEqual([]);
  });

  test('success: listing pending migrations takes no lock that a request waits for', async () => {
    const { connect } = await database();
    const locks = await runAndRollBack(await connect(), async (db) => {
      const pending = await pendingMigrations(db, 'production', withMore(['sizes', SIZES]));
      expect(pending.map(({ version }) => version)).toEqual([9001]);
      return db.rows(
        sql`select distinct locktype, mode from pg_locks where pid = pg_backend_pid() and locktype <> 'virtualxid'`,
      );
    });
    expect(locks).toEqual([{ locktype: 'relation', mode: 'AccessShareLock' }]);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Owner } from '../../../src/platform/database/database.ts';
import type { Sql } from '../../../src/platform/sql/executor.ts';
import { effectsOf, LOCK_MODES } from '../../../src/platform/migrations/lock-effects.ts';
import { migrationOf, readMigrations } from '../../../src/platform/migrations/migration.ts';
import { describeMigrations } from '../../../src/platform/migrations/migration-plan.ts';
import { runAndRollBack } from '../../../src/platform/sql/run-and-roll-back.ts';
import { splitStatements } from '../../../src/platform/sql/sql-text.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let owner: Owner;
let other: Owner;
let drop: () => Promise<void>;
let tables: ReadonlyMap<number, string>;
beforeAll(async () => {
  const database = await createTestDatabase('template0');
  const target = { ...inject('server'), database: database.name };
  [owner, other] = [await connectAsOwner(target), await connectAsOwner(target)];
  drop = database.drop;
  await owner.script(`
    create table parents (id bigint primary key, code text);
    create table plots (id bigint generated always as identity primary key, parent_id bigint references parents,
      size int check (size >= 0), label text not null default '', state text, checked int, spare bigint,
      constraint plots_state_later check (state <> 'x') not valid);
    create index plots_label on plots (label);
    create unique index plots_spare on plots (id, spare);
    create table leaves (id bigint primary key, plot_id bigint constraint leaves_plot references plots);
    create function noted() returns trigger language plpgsql as $$ begin return null; end $$;
    create trigger plots_noted after insert on plots for each row execute function noted();
    insert into parents select n, n::text from generate_series(1, 50) n;
    insert into plots (parent_id, size, state, checked, spare) select n, n, 'free', n, n from generate_series(1, 50) n;`);
  const rows = await owner.rows(sql<{ oid: number; name: string }>`
    select oid::int as oid, relname as name from pg_class where relname in ('parents', 'plots', 'leaves')`);
  tables = new Map(rows.map(({ oid, name }) => [oid, name]));
});
afterAll(async () => {
  await Promise.all([owner.close(), other.close()]);
  await drop();
});

type Observed = { readonly locks: Record<string, string>; readonly works: Record<string, string> };

const rank = (lock: string | undefined) => (LOCK_MODES as readonly string[]).indexOf(lock ?? '');
const pidOf = async (db: Sql) => (await db.one(sql<{ pid: number }>`select pg_backend_pid() as pid`)).pid;

/** The strongest lock of a session on each table; ACCESS SHARE counts as none, since nobody waits for it. */
async function locksOf(db: Sql, pid: number): Promise<Record<string, string>> {
  const rows = await db.rows(sql<{ oid: number; lock: string }>`
    select relation::int as oid, upper(trim(regexp_replace(regexp_replace(mode, 'Lock$', ''), '([A-Z])', ' \\1', 'g'))) as lock
    from pg_locks where pid = ${pid} and granted and relation = any(${[...tables.keys()]}::oid[])`);
  const strongest: Record<string, string> = {};
  for (const { oid, lock } of rows) {
    const table = tables.get(oid) ?? '';
    if (rank(lock) > Math.max(0, rank(strongest[table]))) strongest[table] = lock;
  }
  return strongest;
}

/** What PostgreSQL itself does: the locks, and whether a table was read, indexed or got a new file. */
async function observe(statement: string): Promise<Observed> {
  return runAndRollBack(owner, async (db) => {
    const state = () =>
      db.rows(sql<{ oid: number; file: string; scans: number; indexes: number }>`
        select c.oid::int as oid, c.relfilenode::text as file, coalesce(s.seq_scan + s.idx_scan, 0)::int as scans,
          (select count(*)::int from pg_index where indrelid = c.oid) as indexes
        from pg_class c left join pg_stat_xact_user_tables s on s.relid = c.oid
        where c.oid = any(${[...tables.keys()]}::oid[])`);
    const before = new Map((await state()).map((row) => [row.oid, row]));
    await db.script(statement);
    const works: Record<string, string> = {};
    for (const { oid, file, scans, indexes } of await state()) {
      const [former, table] = [before.get(oid), tables.get(oid)];
      if (former === undefined || table === undefined) continue;
      if (file !== former.file) works[table] = 'rewrites the table';
      else if (indexes > former.indexes) works[table] = 'builds an index';
      else if (scans > former.scans) works[table] = 'reads the whole table';
    }
    return { locks: await locksOf(db, await pidOf(db)), works };
  });
}

/** What the plan says. */
async function predict(text: string): Promise<Observed> {
  const migration = migrationOf({ version: 9999, name: 'tried', text, isOnline: false }, []);
  const locks: Record<string, string> = {};
  const works: Record<string, string> = {};
  for (const { table, lock, work } of await describeMigrations(owner, [migration])) {
    expect(lock).not.toBe('unknown');
    if (table === null || lock === null) continue;
    locks[table] = lock;
    if (!work.startsWith('changes')) works[table] = work;
  }
  return { locks, works };
}

describe('statements of migrations lock what the plan says', () => {
  test.each([
    'create table fresh (id bigint)',
    'create table fresh (id bigint references plots)',
    'create index fresh on plots (size)',
    'create unique index fresh on plots (size)',
    'drop index plots_label',
    'alter index plots_label rename to plots_by_label',
    'drop table leaves',
    'alter table plots add column fresh int',
    "alter table plots add column fresh int not null default 7, add column second text default 'x'",
    'alter table plots add column fresh boolean not null default false',
    'alter table plots add column fresh uuid default gen_random_uuid()',
    'alter table plots add column fresh bigint generated always as (size * 2) stored',
    'alter table plots add column fresh bigint references parents',
    'alter table plots add column fresh int check (fresh > 0)',
    'alter table plots drop column label',
    'alter table plots drop column parent_id',
    'alter table plots rename column label to title',
    'alter table plots rename to lots',
    'alter table plots alter column size type bigint',
    'alter table plots alter column state set not null',
    'alter table plots alter column label drop not null',
    "alter table plots alter column state set default 'free'",
    'alter table plots alter column label drop default',
    'alter table plots alter column size set statistics 200',
    'alter table plots set (fillfactor = 90)',
    'alter table plots add constraint fresh check (size < 1000)',
    'alter table plots add check (size < 1000) not valid',
    'alter table plots add constraint fresh foreign key (spare) references parents',
    'alter table plots add constraint fresh foreign key (spare) references parents not valid',
    'alter table plots add constraint fresh unique (size)',
    'alter table plots drop constraint plots_size_check',
    'alter table leaves drop constraint leaves_plot',
    'alter table plots disable trigger plots_noted',
    'create trigger fresh after update on plots for each row execute function noted()',
    'drop trigger plots_noted on plots',
    "comment on table plots is 'c'",
    "comment on column plots.size is 'c'",
    'lock table plots in share row exclusive mode',
    'create function fresh() returns int language sql as $$ select 1; $$',
    'grant select on plots to cadastre_app',
    'revoke update on plots from cadastre_app',
  ])('success: %s', async (statement) => {
    expect(await observe(statement)).toEqual(await predict(statement));
  });

  test.each([
    "update plots set state = 'taken' where id in (select id from plots where state = 'free' limit 10)",
    "insert into plots (state) values ('free')",
    'delete from leaves',
    'with taken as (update plots set size = 1 where id = 1 returning id) insert into parents select id + 1000 from taken',
    'truncate leaves',
    'alter table plots validate constraint plots_state_later',
    'analyze plots',
  ])('success: %s, apart from what it reads', async (statement) => {
    const [{ locks }, predicted] = [await observe(statement), await predict(statement)];
    expect(locks).toMatchObject(predicted.locks);
  });

  test.each([
    ['create index concurrently fresh on plots (size)', 'plots'],
    ['drop index concurrently plots_label', 'plots'],
  ])('success: %s, observed while it waits for an older transaction', async (statement, table) => {
    const pid = await pidOf(other);
    const wanted = (await predict(statement)).locks[table];
    let running: Promise<void> | undefined;
    await owner.begin(async (db) => {
      await db.script('update plots set size = size where id = 1');
      running = other.script(statement);
      const deadline = Date.now() + 10_000;

      while ((await locksOf(db, pid))[table] !== wanted && Date.now() < deadline) await sleep(5);
      expect(await locksOf(db, pid)).toEqual({ [table]: wanted });
      // Requests go on meanwhile.
      await db.script(`insert into plots (state) values ('free')`);
    });
    await running;
  });
});

describe('kinds of statements', () => {
  test('success: every statement of our migrations is known, except for blocks of code', () => {
    const unknown = readMigrations()
      .flatMap(({ text }) => splitStatements(text))
      .filter((statement) => effectsOf(statement) === undefined)
      .map(({ skeleton }) => skeleton.slice(0, 40));
    expect([...new Set(unknown)]).toEqual(["do ''"]);
  });

  test.each(['vacuum full plots', 'select pay_everybody()', 'alter table plots set logged', 'cluster plots'])(
    'failure: %s is unknown',
    (statement) => {
      expect(splitStatements(statement).map(effectsOf)).toEqual([undefined]);
    },
  );

  test('success: semicolons in literals, names, bodies and comments end no statement', () => {
    const script = `-- one; two\nselect ';', e'\\';', "a;b" /* ; /* ; */ ; */; do $x$ begin; end $x$;\n-- end;`;
    expect(splitStatements(script)).toEqual([
      { text: `select ';', e'\\';', "a;b" /* ; /* ; */ ; */`, skeleton: `select '', '', "a;b"` },
      { text: 'do $x$ begin; end $x$', skeleton: "do ''" },
    ]);
  });
});

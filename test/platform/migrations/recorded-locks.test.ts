import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Owner } from '../../../src/platform/database/database.ts';
import { migrationOf, readMigrations, readReleases } from '../../../src/platform/migrations/migration.ts';
import { describeMigrations } from '../../../src/platform/migrations/migration-plan.ts';
import { runAndRollBack } from '../../../src/platform/sql/run-and-roll-back.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { locksAsJson, observeIn, recordLocks, type Sessions } from './record-locks.ts';

const drops: (() => Promise<void>)[] = [];

/** Two sessions of the owner on an empty database. */
async function openSessions(): Promise<Sessions> {
  const { name, drop } = await createTestDatabase('template0');
  const target = { ...inject('server'), database: name };
  const [owner, other]: [Owner, Owner] = [await connectAsOwner(target), await connectAsOwner(target)];
  drops.push(async () => {
    await Promise.all([owner.close(), other.close()]);
    await drop();
  });
  return { owner, other };
}
afterAll(() => Promise.all(drops.map((drop) => drop())));

test('success: migrations since the first release lock what is recorded of them', async () => {
  const sessions = await openSessions();
  await sessions.owner.script(`create table schema_migrations (
    version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null)`);
  const first = readReleases()[0]?.schema ?? 0;
  const { before = [], since = [] } = Object.groupBy(readMigrations(), ({ version }) =>
    version > first ? 'since' : 'before',
  );
  for (const { text } of before) await sessions.owner.script(text);
  const recorded = await recordLocks(sessions, since);
  await expect(locksAsJson(recorded)).toMatchFileSnapshot('../../../migrations/locks.json');
});

describe('what a statement locks', () => {
  let sessions: Sessions;
  beforeAll(async () => {
    sessions = await openSessions();
    await sessions.owner.script(`
      create table parents (id bigint primary key);
      create table plots (id bigint generated always as identity primary key, parent_id bigint, size int);
      create index plots_size on plots (size);`);
  });

  test.each([
    ['alter table plots add column fresh int', ['plots ACCESS EXCLUSIVE catalogue']],
    ['alter table plots add column fresh uuid default gen_random_uuid()', ['plots ACCESS EXCLUSIVE rewrite']],
    ['alter table plots add constraint fresh check (size < 1000)', ['plots ACCESS EXCLUSIVE scan']],
    ['create index fresh on plots (size)', ['plots SHARE index']],
    ['drop index plots_size', ['plots ACCESS EXCLUSIVE catalogue']],
    [
      'alter table plots add foreign key (parent_id) references parents',
      ['parents SHARE ROW EXCLUSIVE scan', 'plots SHARE ROW EXCLUSIVE scan'],
    ],
    [
      'alter table plots add foreign key (parent_id) references parents not valid',
      ['parents SHARE ROW EXCLUSIVE catalogue', 'plots SHARE ROW EXCLUSIVE catalogue'],
    ],
    ['update plots set size = 1 where parent_id in (select id from parents)', ['plots ROW EXCLUSIVE rows']],
    ['analyze plots', ['plots SHARE UPDATE EXCLUSIVE scan']],
    ['do $$ begin lock table parents in exclusive mode; end $$', ['parents EXCLUSIVE catalogue']],
    ['create table fresh (id bigint)', []],
    ['select 1', []],
  ])('success: %s', async (statement, expected) => {
    const { locks } = await runAndRollBack(sessions.owner, (db) => observeIn(db, statement));
    expect(locks.map(({ table, lock, work }) => `${table} ${lock} ${work}`)).toEqual(expected);
  });

  test('success: indexes that are built and dropped concurrently', async () => {
    const text = 'create index concurrently fresh on plots (id); drop index concurrently fresh';
    const migration = migrationOf({ version: 9999, name: 'tried', text, isOnline: true }, []);
    const locks = (work: string) => ({ locks: [{ table: 'plots', lock: 'SHARE UPDATE EXCLUSIVE', work }] });
    expect(await recordLocks(sessions, [migration])).toEqual({ 9999: [locks('index'), locks('catalogue')] });
  });

  test('failure: the plan does not know what is not recorded', async () => {
    const migration = migrationOf({ version: 9999, name: 'tried', text: 'select 1', isOnline: false }, []);
    expect(await describeMigrations(sessions.owner, [migration])).toEqual([
      expect.objectContaining({ statement: 'select 1', lock: 'unknown', waiting: 'unknown' }),
    ]);
  });
});

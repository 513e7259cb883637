import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Owner } from '../../../src/platform/database/database.ts';
import {
  migrationOf,
  type Release,
  readMigrations,
  readProgramSchema,
  readReleases,
} from '../../../src/platform/migrations/migration.ts';
import {
  type RecordedLocks,
  readRecordedLocks,
  type StatementLocks,
} from '../../../src/platform/migrations/recorded-locks.ts';
import { runAndRollBack } from '../../../src/platform/sql/run-and-roll-back.ts';
import { splitStatements } from '../../../src/platform/sql/sql-text.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { checkMigrations } from './migration-rules.ts';
import { observeIn } from './record-locks.ts';

const RELEASES: readonly Release[] = [
  { version: '1.0', schema: 10 },
  { version: '1.1', schema: 12 },
];

type Tried = { readonly isOnline?: boolean; readonly locks?: RecordedLocks };

const faultsOf = (text: string, { isOnline = false, locks = {} }: Tried = {}) =>
  checkMigrations(
    [
      migrationOf({ version: 13, name: 'before', text: '', isOnline: false }, RELEASES),
      migrationOf({ version: 14, name: 'tried', text, isOnline }, RELEASES),
    ],
    RELEASES,
    locks,
  );

let owner: Owner;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  owner = await connectAsOwner({ ...inject('server'), database: database.name });
  drop = database.drop;
});
afterAll(async () => {
  await owner.close();
  await drop();
});

/** What statements lock in a database with our schema; nothing of them stays. */
const observed = (text: string): Promise<StatementLocks[]> =>
  runAndRollBack(owner, async (db) => {
    const found: StatementLocks[] = [];
    for (const statement of splitStatements(text)) found.push(await observeIn(db, statement.text));
    return found;
  });

describe('our migrations', () => {
  test('success: unreleased migrations follow the rules', () => {
    expect(checkMigrations(readMigrations(), readReleases(), readRecordedLocks())).toEqual([]);
  });

  test('success: the releases are in order, and each has a migration and a version before ours', () => {
    const releases = readReleases();
    const versions = readMigrations().map(({ version }) => version);
    expect(releases.length).toBeGreaterThan(0);
    expect(releases.map(({ schema }) => schema)).toEqual(
      [...new Set(releases.map(({ schema }) => schema))].sort((one, other) => one - other),
    );
    for (const { schema } of releases) expect(versions).toContain(schema);
    const { version } = JSON.parse(
      readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8'),
    );
    expect(releases.at(-1)?.version).toBe(version);
  });

  test('success: the documents name the oldest schema that this program runs on, and its release', () => {
    const read = (file: string) => readFileSync(path.join(import.meta.dirname, '../../..', file), 'utf8');
    const { oldest } = readProgramSchema();
    const { version, schema } = readReleases().find((release) => release.schema === oldest) ?? {};
    expect(read('docs/operate/upgrade.md')).toContain(`the release before (${version}: ${schema})`);
    expect(read('CHANGELOG.md')).toContain(`the schema of release ${version} (migration ${schema})`);
  });
});

describe('rules of migrations', () => {
  test.each([
    'alter table domains rename column name to label',
    'alter table domains rename to names',
    'alter table domains drop column name',
    'alter table domains add column size int, drop name',
    'drop table domains',
    'drop index domains_by_expiry',
    'drop function require_in_time',
    'alter function require_unchanged(boolean) rename to require_same',
    'alter table domains alter column name type int',
    'alter table domains alter column name set not null',
    'alter table domains alter name drop default',
    'alter table domains add column size int not null',
    'alter table domains add constraint short check (length(name) < 9) not valid',
    'create trigger watch before update on domains for each row execute function watch()',
    'revoke select on domains from cadastre_app',
  ])('failure: %s, without a reason why the previous release tolerates it', (statement) => {
    const fault = `14: breaks the release before: ${statement}`;
    expect(faultsOf(statement)).toContain(fault);
    for (const word of ['-- compatible: nobody reads it', '-- removes: it, unused since 1.1'])
      expect(faultsOf(`${word}\n${statement}`)).not.toContain(fault);
    expect(faultsOf(`-- min-program-schema: 14\n${statement}`)).not.toContain(fault);
  });

  test.each([
    'alter table domains add column size int',
    'alter table domains add column size int not null default 0',
    'grant select on domains to cadastre_app',
    'create or replace function f() returns int language sql as $$ select 1 $$',
    'alter table domains alter column name drop not null',
  ])('success: %s', async (statement) => {
    expect(faultsOf(statement, { locks: { 14: await observed(statement) } })).toEqual([]);
  });

  test('success: a new table can be indexed and read, since nobody waits for it', async () => {
    const statements =
      'create table sizes (id bigint not null references domains); create unique index sizes_id on sizes (id); alter table sizes add check (id > 0)';
    const locks = { 14: await observed(statements) };
    expect(locks[14].flatMap((statement) => statement.locks.map(({ work }) => work))).toContain('index');
    expect(faultsOf(statements, { locks })).toEqual([]);
  });

  test('success: a table of the release in preparation can still be changed', () => {
    const locks = { 13: [{ creates: ['sizes'], locks: [] }] };
    expect(faultsOf('alter table sizes drop column name', { locks })).toEqual([]);
  });

  test.each(['1.2', '0.9'])(
    'failure: a removal of what was unused since %s, no release before it',
    (version) => {
      expect(faultsOf(`-- removes: it, unused since ${version}\ndrop table domains`)).toEqual([
        `14: removes what was unused since ${version}, which is no release before it`,
      ]);
    },
  );

  test.each([
    'create index domains_size on domains (name)',
    'alter table domains add column size uuid default gen_random_uuid()',
    'alter table domains add column size int check (size > 0)',
  ])('failure: %s, which makes requests wait', async (statement) => {
    const locks = { 14: await observed(statement) };
    expect(faultsOf(statement, { locks })).toEqual([
      `14: makes requests wait for more than the catalogue: ${statement}`,
    ]);
    expect(faultsOf(`-- small-table: one row\n${statement}`, { locks })).toEqual([]);
  });

  test('failure: an online migration that could not be resumed, or whose batch has no limit', () => {
    const statements = ['create table a (id int)', 'update domains set name = name'];
    expect(faultsOf(statements.join(';'), { isOnline: true })).toEqual(
      statements.map((one) => `14: cannot be resumed: ${one}`),
    );
    const good = 'create index concurrently a on domains (name); analyze domains';
    expect(faultsOf(good, { isOnline: true })).toEqual([]);
  });

  test('failure: a migration that excludes programs which know it', () => {
    expect(faultsOf('-- min-program-schema: 15\nselect 1')).toEqual(['14: excludes programs that know it']);
  });
});

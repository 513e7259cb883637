import { describe, test } from 'vitest';
import { migrate as migrateTo } from '../../src/platform/migrations/migrate.ts';
import { readMigrations } from '../../src/platform/migrations/migration.ts';
import { cadastre, emptyDatabase, productionDatabase } from '../support/cadastre.ts';
import { TEMPLATE } from '../support/global-setup.ts';
import { sql } from '../support/sql.ts';
import { expect } from '../support/this-test.ts';

const migrations = readMigrations().map(({ version, name }) => ({ version, name }));

const migrate = (url: string, ...args: string[]) =>
  cadastre(['migrate', ...args], { env: { DATABASE_URL: url } });

async function tablesOf(db: Awaited<ReturnType<typeof emptyDatabase>>['sql']): Promise<string[]> {
  const rows = await db.rows(sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`);
  return rows.map(({ name }) => name);
}

describe.concurrent('cadastre migrate', () => {
  test('success: an empty database becomes a production installation, and a repeat changes nothing', async () => {
    const { url, sql: db } = await emptyDatabase();
    const first = await migrate(url);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const [heading, ...lines] = first.stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^VERSION +NAME$/);
    expect(lines.map((line) => line.split(/ +/))).toEqual(
      migrations.map(({ version, name }) => [String(version), name]),
    );
    expect(await db.rows(sql`select kind from installation`)).toEqual([{ kind: 'production' }]);
    expect(await db.rows(sql`select count(*)::int as count from registrars`)).toEqual([{ count: 0 }]);
    const before = await db.rows(sql`select * from schema_migrations order by version`);

    expect(await migrate(url)).toEqual({ code: 0, stdout: 'The schema is up to date.\n', stderr: '' });
    expect(await migrate(url, '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    expect(await db.rows(sql`select * from schema_migrations order by version`)).toEqual(before);
  });

  test('success: two concurrent runs on one empty database apply each migration once', async () => {
    const { url, sql: db } = await emptyDatabase();
    const both = await Promise.all([migrate(url, '--json'), migrate(url, '--json')]);
    expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    const applied = both.map(({ stdout }) => JSON.parse(stdout)).sort((a, b) => a.length - b.length);
    expect(applied).toEqual([[], migrations]);
    expect(await db.rows(sql`select count(*)::int as count from installation`)).toEqual([{ count: 1 }]);
  });

  test('success: the upgrade that renames columns keeps their rows, and jobs their state', async () => {
    const { url, sql: db } = await emptyDatabase();
    const earlier = readMigrations().filter(({ version }) => version < 24);
    await migrateTo(db, 'production', new Date('2026-01-01T00:00:00Z'), earlier);
    await db.script(`
      insert into jobs (name, due_at, every_ms, took_ms) values ('ask about payments', now(), 1000, 7), ('deliver mails', now(), 1000, 8);
      insert into payments (reference, elsewhere, ask_at, asked, answered, created_at) values ('one', true, '2026-02-03T00:00:00Z', 4, 3, now());
      insert into invoice_numbers (number, initiator, handed_out_at) values (100, 'auction', now());`);
    expect(await migrate(url)).toMatchObject({ code: 0, stderr: '' });
    expect(await db.rows(sql`select name, interval_ms, duration_ms from jobs order by name`)).toEqual([
      { name: 'deliver mails', interval_ms: 1000, duration_ms: 8 },
      { name: 'poll payments', interval_ms: 1000, duration_ms: 7 },
    ]);
    expect(
      await db.rows(sql`select external, poll_at, poll_number, answered_poll_number from payments`),
    ).toEqual([
      {
        external: true,
        poll_at: new Date('2026-02-03T00:00:00Z'),
        poll_number: 4,
        answered_poll_number: 3,
      },
    ]);
    expect(
      await db.rows(sql`select allocate_invoice_number('auction', 100, 200, 'auction', now()) as number`),
    ).toEqual([{ number: 101 }]);
  });

  test('failure: a migration that was changed after it had been applied', async () => {
    const { url, sql: db } = await productionDatabase();
    await db.run(sql`update schema_migrations set checksum = 'another' where version = 3`);
    expect(await migrate(url)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Migration 3 (history) was changed after it had been applied.\n',
    });
  });

  test('failure: a database whose newer migration excludes this version, for both migrate and serve', async () => {
    const { url, sql: db } = await productionDatabase();
    await db.run(sql`insert into schema_migrations values (9999, 'from_the_future', 'x', now(), 9999)`);
    const excluded = {
      code: 1,
      stdout: '',
      stderr:
        'The database has migration 9999 (from_the_future), and this program cannot run after it; run the program of a newer version.\n',
    };
    expect(await migrate(url)).toEqual(excluded);
    expect(await cadastre(['serve'], { env: { DATABASE_URL: url, PORT: '0' } })).toEqual(excluded);
  });

  test('success: on a newer database that does not exclude it, nothing is changed', async () => {
    const { url, sql: db } = await productionDatabase();
    await db.run(sql`insert into schema_migrations values (9999, 'from_the_future', 'x', now(), 28)`);
    expect(await migrate(url)).toEqual({
      code: 0,
      stderr: '',
      stdout:
        'The schema is newer than this program: it has migration 9999 (from_the_future). This program still runs on it; nothing was changed.\n',
    });
    await db.run(sql`delete from schema_migrations where version = 3`);
    expect(await migrate(url)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/nothing was changed/),
    });
  });

  test('failure: a database that is older than the release before, for serve, work and other commands', async () => {
    const { url, sql: db } = await emptyDatabase();
    await migrateTo(
      db,
      'production',
      new Date(),
      readMigrations().filter(({ version }) => version < 27),
    );
    for (const command of ['serve', 'work'])
      expect(await cadastre([command], { env: { DATABASE_URL: url, PORT: '0' } })).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'The database is too old for this program: migration 27 (debts_in_statements) is missing; run cadastre migrate first.\n',
      });
    for (const [command, missing] of [
      [['rdap', 'requester', 'list'], 'relation "lookup_requesters"'],
      [['staging', 'status'], 'column "copy_state"'],
    ] as const)
      expect(await cadastre([...command], { env: { DATABASE_URL: url } })).toEqual({
        code: 1,
        stdout: '',
        stderr: `The schema is older than this program (${missing} does not exist); run cadastre migrate first.\n`,
      });
  });

  test('success: a dry run shows what it would apply and leaves the database empty', async () => {
    const { url, sql: db } = await emptyDatabase();
    const tried = await migrate(url, '--dry-run');
    expect(tried).toMatchObject({ code: 0, stderr: '' });
    expect(tried.stdout).toMatch(
      /^Dry run: nothing was changed\. It would apply:\nVERSION +NAME\n1 +installation\n/,
    );
    expect((await migrate(url, '--plan')).stdout).toMatch(/^The database is empty: .* nobody waits\.\n$/);
    expect(await tablesOf(db)).toEqual([]);
  });

  test('success: the plan shows which tables are locked, in which mode, who waits and for how long', async () => {
    const { url, sql: db } = await emptyDatabase();
    await migrateTo(
      db,
      'production',
      new Date(),
      readMigrations().filter(({ version }) => version < 30),
    );
    await db.run(sql`delete from schema_migrations where version = 9`);
    const { stdout } = await migrate(url, '--plan');
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(lines[0]).toEqual(['VERSION', 'STATEMENT', 'TABLE', 'LOCK', 'WAITING', 'WORK', 'ESTIMATE']);
    expect(lines).toContainEqual([
      '30',
      expect.stringMatching(/^alter table contacts /),
      'contacts',
      'ACCESS EXCLUSIVE',
      'reads and writes',
      'changes the catalogue only',
      'under 0.1 s',
    ]);
    expect(lines).toContainEqual([
      '9',
      expect.stringMatching(/^do /),
      '-',
      'unknown',
      'unknown',
      'unknown',
      'unknown',
    ]);
    expect(stdout).toMatch(/^Durations are estimates .* within 250 ms gives up and is repeated/m);
    expect(JSON.parse((await migrate(url, '--plan', '--json')).stdout)).toContainEqual(
      expect.objectContaining({
        version: 30,
        table: 'contacts',
        work: 'reads the whole table',
      }),
    );
    expect(await db.rows(sql`select from schema_migrations where version in (9, 30)`)).toEqual([]);
    const { url: current } = await productionDatabase();
    expect((await migrate(current, '--plan')).stdout).toBe('The schema is up to date.\n');
  });

  test('failure: the database of a sandbox', async () => {
    const { url } = await emptyDatabase(TEMPLATE);
    expect(await migrate(url)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database belongs to a sandbox; a production server does not touch it.\n',
    });
  });

  test.each([
    ['other tables', 'create table somebody_elses (id int)', ['somebody_elses']],
    ['a table that is called like ours', 'create table installation (id int)', ['installation']],
  ])('failure: a foreign database with %s is refused and unchanged', async (_what, statement, tables) => {
    const { url, sql: db } = await emptyDatabase();
    await db.script(statement);
    expect(await migrate(url)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database is not empty and was not made by Cadastre; nothing was changed in it.\n',
    });
    expect(await tablesOf(db)).toEqual(tables);
  });

  test('failure: no database is configured', async () => {
    const outcome = await cadastre(['migrate']);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^DATABASE_URL .*\.\n$/);
  });
});

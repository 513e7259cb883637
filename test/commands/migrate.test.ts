import { describe, test } from 'vitest';
import { migrate as migrateTo, readMigrations } from '../../src/platform/sql/migrate.ts';
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

  test('success: two at once on one empty database apply each migration once', async () => {
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
        ...{ external: true, poll_at: new Date('2026-02-03T00:00:00Z') },
        ...{ poll_number: 4, answered_poll_number: 3 },
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

  test('failure: a database that a newer version has migrated, for migrate and serve alike', async () => {
    const { url, sql: db } = await productionDatabase();
    await db.run(sql`insert into schema_migrations values (9999, 'from_the_future', 'x', now())`);
    expect(await migrate(url)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database has migration 9999 (from_the_future), which this version does not know.\n',
    });
    const served = await cadastre(['serve'], { env: { DATABASE_URL: url, PORT: '0' } });
    expect(served).toMatchObject({ code: 1, stdout: '' });
    expect(served.stderr).toMatch(/^The database is not at the version of this program.*\.\n$/);
  });

  test('success: a dry run shows what it would apply and leaves the database empty', async () => {
    const { url, sql: db } = await emptyDatabase();
    const tried = await cadastre(['migrate', '--dry-run'], { env: { DATABASE_URL: url } });
    expect(tried).toMatchObject({ code: 0, stderr: '' });
    expect(tried.stdout).toMatch(
      /^Dry run: nothing was changed\. It would apply:\nVERSION +NAME\n1 +installation\n/,
    );
    expect(await tablesOf(db)).toEqual([]);
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
    ['tables of its own', 'create table somebody_elses (id int)', ['somebody_elses']],
    ['a table that is called like ours', 'create table installation (id int)', ['installation']],
  ])('failure: a foreign database with %s is refused and untouched', async (_what, statement, tables) => {
    const { url, sql: db } = await emptyDatabase();
    await db.script(statement);
    expect(await migrate(url)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database is not empty and was not made by Cadastre; nothing was changed in it.\n',
    });
    expect(await tablesOf(db)).toEqual(tables);
  });

  test('failure: without a database to migrate', async () => {
    const outcome = await cadastre(['migrate']);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(/^DATABASE_URL .*\.\n$/);
  });
});

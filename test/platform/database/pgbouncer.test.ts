import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import type { EmbeddedAddress } from '../../../src/embedded-postgres/embedded-postgres.ts';
import { type Owner, openDatabase } from '../../../src/platform/database/database.ts';
import { classifyDatabaseError } from '../../../src/platform/database/database-errors.ts';
import { setLoginDefaults } from '../../../src/platform/database/login-defaults.ts';
import { checkSessions } from '../../../src/platform/database/session-check.ts';
import { ee } from '../../../src/policy/ee.ts';
import { cadastre, databaseUrl, type Server, start, startServe } from '../../support/cadastre.ts';
import { alpha } from '../../support/client.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { DatabaseProxy } from '../../support/database-proxy.ts';
import { freshName, Registrant } from '../../support/domains.ts';
import { findPgBouncer, PgBouncer } from '../../support/pgbouncer.ts';
import { install, makeEveryCall, makeLogins, makeTraffic } from '../../support/production-set-up.ts';
import { sql } from '../../support/sql.ts';

const found = findPgBouncer();
const reason = 'reason' in found ? found.reason : undefined;
if (reason) process.stderr.write(`The tests with PgBouncer are skipped: ${reason}.\n`);

/** The lock of `migrate`, whose session belongs to the owner: openAsOwner refuses a pooler. */
const OF_THE_OWNER = 'platform/migrations/migration-lock.ts';

test('success: nothing but migrations relies on a session that outlives its transaction', () => {
  const source = path.join(import.meta.dirname, '../../../src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const relies =
    /pg_(try_)?advisory_lock|\bset (session|role)\b|create temp|^\s*(un)?listen |declare \w+ cursor|set_config\((?!.*, true\))/im;
  expect(files.filter((file) => relies.test(readFileSync(path.join(source, file), 'utf8')))).toEqual([
    OF_THE_OWNER,
  ]);
});

const NAME = 'pooled_registry';
const PASSWORD = 'serving-password';
const config = readConfig('production', {});

describe.skipIf(reason)('PgBouncer in transaction mode', () => {
  const root = 'root' in found ? found.root : '';
  let logins: Awaited<ReturnType<typeof makeLogins>>;
  let pooler: PgBouncer;
  let owner: Owner;
  let direct: string;
  let plain: string;
  let pooled: string;
  const startPooler = (settings = {}, server: Pick<EmbeddedAddress, 'host' | 'port'> = inject('server')) =>
    PgBouncer.start(
      root,
      { ...server, database: NAME },
      { [logins.serving]: PASSWORD, [logins.owner]: PASSWORD },
      settings,
    );
  const poolerForThisTest = async (settings: Record<string, unknown>) => {
    const other = await startPooler(settings);
    onTestFinished(() => other.stop());
    return other.addressOf(logins.serving, PASSWORD, NAME);
  };
  beforeAll(async () => {
    logins = await makeLogins(inject('server'), NAME);
    pooler = await startPooler();
    plain = pooler.addressOf(logins.serving, PASSWORD, NAME);
    pooled = `${plain}?pooler=transaction`;
    direct = databaseUrl(NAME, { ...inject('server'), username: logins.owner });
    await install({ DATABASE_OWNER_URL: direct });
    owner = await connectAsOwner(direct);
  });
  afterAll(async () => {
    await owner?.close();
    await pooler?.stop();
    await logins?.drop();
  });
  const refusalOf = async (command: string, env: Record<string, string>) => {
    const { code, stderr } = await cadastre([command], { env: { PORT: '0', METRICS_PORT: '0', ...env } });
    expect(code).toBe(1);
    return stderr;
  };

  test('failure: unless it is named in the address, nothing is served', async () => {
    const ignoringOptions = await poolerForThisTest({ ignore_startup_parameters: 'options' });
    const [refused, ignored] = await Promise.all(
      [plain, ignoringOptions].map((url) => refusalOf('serve', { DATABASE_URL: url })),
    );
    expect(refused).toMatch(
      /^DATABASE_URL leads to a pooler .*Add pooler=transaction to it and run cadastre migrate/,
    );
    expect(ignored).toContain(`role is ${logins.serving}, not cadastre_app; `);
    expect(ignored).toContain('statement_timeout is 0, not 10000; ');
    expect(ignored).toContain('add pooler=transaction to DATABASE_URL and run cadastre migrate');
  });

  test('failure: the login has no defaults yet, which migrate would set, and no session acts as the owner', async () => {
    const env = { DATABASE_URL: pooled };
    const [serve = '', work = '', migrate] = await Promise.all(
      ['serve', 'work', 'migrate'].map((command) => refusalOf(command, env)),
    );
    for (const output of [serve, work, (await cadastre(['doctor', '--json'], { env })).stdout]) {
      expect(output).toContain(`role is ${logins.serving}, not cadastre_app; `);
      expect(output).toContain('Run cadastre migrate with the same DATABASE_URL');
    }
    expect(migrate).toMatch(/set DATABASE_OWNER_URL to an address of PostgreSQL itself\.\n$/);
  });

  test('success: migrate gives the login its defaults, once', async () => {
    const env = { DATABASE_OWNER_URL: direct, DATABASE_URL: pooled };
    const trial = await cadastre(['migrate', '--dry-run'], { env });
    expect(trial.stdout).toContain(
      'It would set as defaults of the login of DATABASE_URL: role=cadastre_app, ',
    );
    const { stdout } = await cadastre(['migrate'], { env });
    expect(stdout).toContain('Set as defaults of the login of DATABASE_URL: role=cadastre_app, ');
    expect(await cadastre(['migrate'], { env })).toEqual({
      code: 0,
      stdout: 'The schema is up to date.\n',
      stderr: '',
    });
    const database = openDatabase(pooled, config, ee.timeZone);
    onTestFinished(() => database.close());
    expect(await checkSessions(database, config, ee.timeZone)).toEqual([]);
    const other = await checkSessions(database, { ...config, lockTimeoutMs: 4_000 }, ee.timeZone);
    expect(other).toEqual([{ setting: 'lock_timeout', expected: '4000', found: '5000', isFatal: false }]);
  });

  test('success: one login for both is the owner only where it comes directly', async () => {
    const address = `${pooler.addressOf(logins.owner, PASSWORD, NAME)}?pooler=transaction`;
    expect(await setLoginDefaults(address, config, ee.timeZone)).not.toEqual([]);
    expect(await setLoginDefaults(address, config, ee.timeZone)).toEqual([]);
    const [both, again] = [openDatabase(address, config, ee.timeZone), await connectAsOwner(direct)];
    onTestFinished(async () => void (await Promise.all([both.close(), again.close()])));
    expect(await checkSessions(both, config, ee.timeZone)).toEqual([]);
    expect(
      await again.one(sql`
        select current_user = session_user as itself, current_setting('statement_timeout') as timeout`),
    ).toEqual({ itself: true, timeout: '0' });
  });

  test('failure: it confuses prepared statements of several clients', async () => {
    const old = await poolerForThisTest({ max_prepared_statements: 0, default_pool_size: 1 });
    expect(await refusalOf('serve', { DATABASE_URL: `${old}?pooler=transaction` })).toContain(
      'PgBouncer 1.21 or later with max_prepared_statements above zero',
    );
  });

  test('success: pipelined statements are answered to their caller', async () => {
    const database = openDatabase(pooled, { ...config, readConnections: 2 }, ee.timeZone);
    onTestFinished(() => database.close());
    const numbers = Array.from({ length: 500 }, (_, n) => n);
    const answers = await Promise.all(
      numbers.map((n) =>
        n % 3 === 0
          ? database.writes.one(sql<{ n: number }>`select ${n}::int as n`)
          : database.reads.one(sql<{ n: number }>`select ${n}::int as n`),
      ),
    );
    expect(answers.map(({ n }) => n)).toEqual(numbers);
  });

  test('success: prepared statements survive a schema change, and the statement still succeeds', async () => {
    await owner.script(
      'create table shapes (id integer); insert into shapes values (1); grant all on shapes to cadastre_app',
    );
    const database = openDatabase(pooled, config, ee.timeZone);
    onTestFinished(() => database.close());
    const { reads, writes } = database;
    const shape = sql`select * from shapes`;
    expect([await reads.rows(shape), await writes.rows(shape)]).toEqual([[{ id: 1 }], [{ id: 1 }]]);
    await owner.script('alter table shapes add column name text');
    for (let round = 0; round < 3; round++)
      expect([await reads.rows(shape), await writes.rows(shape)]).toEqual([
        [{ id: 1, name: null }],
        [{ id: 1, name: null }],
      ]);
    await owner.script('drop table shapes');
  });

  test('success: a transaction has its own session and locks, and its loss affects no other', async () => {
    await owner.script('create table marks (mark text not null); grant all on marks to cadastre_app');
    const database = openDatabase(pooled, config, ee.timeZone);
    onTestFinished(() => database.close());
    const administrator = await connectAsOwner(inject('server'));
    onTestFinished(() => administrator.close());
    const { writes, reads } = database;
    const lock = sql`select pg_advisory_xact_lock(7)`;
    const isFree = sql<{ free: boolean }>`select pg_try_advisory_xact_lock(7) as free`;
    const mark = (name: string) => sql`insert into marks values (${name})`;
    const lost = writes.begin(async (db) => {
      await db.run(lock);
      await db.run(mark('lost'));
      const { pid } = await db.one(sql<{ pid: number }>`select pg_backend_pid() as pid`);
      expect(await reads.one(isFree)).toEqual({ free: false });
      await administrator.run(sql`select pg_terminate_backend(${pid})`);
      await Promise.all(
        Array.from({ length: 5 }, (_, n) => writes.begin((other) => other.run(mark(`${n}`)))),
      );
      await db.run(mark('after the loss'));
    });
    expect(classifyDatabaseError(await lost.catch((error: unknown) => error))).toBe('unavailable');
    expect(await reads.one(isFree)).toEqual({ free: true });
    const rows = await owner.rows(sql<{ mark: string }>`select mark from marks order by mark`);
    expect(rows.map((row) => row.mark)).toEqual(['0', '1', '2', '3', '4']);
    await owner.script('drop table marks');
  });

  describe('a server and a worker behind one with few sessions', () => {
    let line: DatabaseProxy;
    let few: PgBouncer;
    let served: Server;
    let worker: ReturnType<typeof start>;
    beforeAll(async () => {
      line = await DatabaseProxy.open(inject('server'));
      few = await startPooler({ default_pool_size: 3 }, { host: '127.0.0.1', port: line.port });
      const url = `${few.addressOf(logins.serving, PASSWORD, NAME)}?pooler=transaction`;
      worker = start(['work'], { DATABASE_URL: url, METRICS_PORT: '0' });
      served = await startServe(url);
    });
    afterAll(async () => {
      await Promise.all([served?.stop(), worker?.stop()]);
      await few?.stop();
      await line?.close();
    });

    test('success: every call is served, many at once too, and jobs run', async () => {
      await makeEveryCall(served.url);
      const names = await makeTraffic(served.url, 12);
      expect(
        await owner.one(sql`select count(*)::int as count from domains where name = any(${names}::text[])`),
      ).toEqual({ count: 12 });
      const finished = () =>
        owner.rows(sql`select bool_and(finished_at is not null and failures = 0) as all from jobs`);
      await expect.poll(finished, { timeout: 30_000 }).toEqual([{ all: true }]);
      expect(served.output() + worker.output()).not.toMatch(/prepared statement/);
    });

    test('success: while the pooler or the database is unavailable all is refused, and then served again', async () => {
      const registrant = await Registrant.of(alpha(served.url));
      const kept = await registrant.register();
      const statuses = async () => [
        (await registrant.client.get(`/domains/${kept}`)).status,
        (await registrant.try({ name: freshName() })).status,
      ];
      await few.kill();
      expect(await statuses()).toEqual([503, 503]);
      await few.launch();
      await expect.poll(statuses).toEqual([200, 200]);
      line.refuse();
      expect(await statuses()).toEqual([503, 503]);
      await line.accept();
      await expect.poll(statuses).toEqual([200, 200]);
      expect(await served.stop()).toBe(0);
      expect(await worker.stop()).toBe(0);
    });
  });
});

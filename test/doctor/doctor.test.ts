import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ee } from '../../src/policy/ee.ts';
import { answers, hangsUp, standInProvider } from '../billing/provider/stand-in.ts';
import {
  cadastre,
  type DroppableDatabase,
  databaseUrl,
  type Environment,
  openProductionDatabase,
} from '../support/cadastre.ts';
import { registryForThisTest } from '../support/registry.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { sql } from '../support/sql.ts';

type Finding = { check: string; state: string; says: string; todo?: string };

/** As documented: the login that serves owns nothing. */
let database: DroppableDatabase;
let login: string;
let servedUrl: string;
beforeAll(async () => {
  database = await openProductionDatabase();
  login = `serve_${database.name}`;
  await database.sql.script(`create role ${login} login; grant cadastre_app to ${login}`);
  servedUrl = databaseUrl(database.name, { ...inject('server'), username: login });
  await database.sql.run(sql`
    insert into authorities (name, certificate, fingerprint, valid_from, valid_until, own, signs, created_at, revocation_list_until)
    values ('Ours', 'x', ${'0f'.repeat(32)}, now(), now() + interval '10 years', true, true, now(), now() + interval '7 days')`);
  await database.sql.run(sql`
    insert into operator_checks (kind, at, succeeded, succeeded_at, detail)
    select kind, now(), true, now(), 'done' from unnest(array['backup', 'restore', 'ledger']) as kind`);
  const prices = ee.zones.flatMap(({ origin }) =>
    ['create', 'renew'].map((operation) => [origin, operation]),
  );
  for (const [zone = '', operation = ''] of prices)
    await database.sql.run(sql`
      insert into prices (zone, operation, months, amount, currency, valid_from) values (${zone}, ${operation}, 12, 900, 'EUR', '2026-01-01')`);
});
afterAll(async () => {
  await database.sql.script(`drop owned by ${login}; drop role ${login}`);
  await database.drop();
});

const doctor = async (env: Environment) => {
  const { code, stdout, stderr } = await cadastre(['doctor', '--json'], { env });
  return { code, stderr, findings: JSON.parse(stdout) as Finding[] };
};
const notOk = (findings: readonly Finding[]) =>
  findings
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state, says }) => `${state} ${check}: ${says}`);

const recorded = () => database.sql.one(sql`select * from operator_checks where kind = 'doctor'`);

const NO_STANDBY =
  'warning replication: There is no standby: if the server is lost, everything since the last backup is.';

/** The server of the tests does not sync. */
const UNSAFE_SERVER = [
  'problem database server: fsync is off: a power cut destroys the database.',
  'problem database server: full_page_writes is off: a power cut can leave half-written pages.',
  'problem database server: synchronous_commit is off: a power cut loses the last answers that clients were given.',
];
const KEY_ELSEWHERE = expect.stringMatching(/^warning certificates: The key of authority \d+ is not on this/);

const provider = (url: string): Environment => ({
  PROVIDER_URL: url,
  PROVIDER_LINK_URL: `${url}/lp`,
  PROVIDER_USER: 'us',
  PROVIDER_SECRET: 'a-long-secret-of-ours',
  PROVIDER_ACCOUNT: 'EUR-ours',
  PROVIDER_LINK_TOKEN: 'token',
});
const sound = (): Environment => ({
  DATABASE_URL: servedUrl,
  PUBLIC_URL: 'https://registry.example',
  TRUSTED_PROXIES: '10.0.0.1/32',
  CERTIFICATES: 'proxy',
  MAIL_FROM: 'registry@example.ee',
  CONSOLE_SECRET: 'a-long-secret-of-the-console',
});

describe('cadastre doctor', () => {
  test('success: nothing is found but the server of the tests and the key of the authority, no mail is sent, and the request to the provider changes nothing', async () => {
    const office = await startSmtpServer();
    const payments = await standInProvider(answers(404, {}));
    const env = { ...sound(), ...provider(payments.url), SMTP_URL: `smtp://127.0.0.1:${office.port}` };
    await cadastre(['job', 'run', 'domain lifecycle'], { env });
    const { code, findings } = await doctor(env);
    expect(notOk(findings)).toEqual([...UNSAFE_SERVER, NO_STANDBY, KEY_ELSEWHERE]);
    expect(code).toBe(1);
    expect(new Set(findings.map(({ check }) => check))).toEqual(
      new Set([
        'settings',
        'mail',
        'payment provider',
        'database',
        'rights',
        'clock',
        'certificates',
        'jobs',
        'times',
        'copy',
        'schema',
        'database server',
        'replication',
        'ledger',
        'prices',
        'object counts',
        'holds',
        'authenticator apps',
        'backlog',
        'operator checks',
      ]),
    );
    const problems = findings.filter(({ state }) => state === 'problem').length;
    expect(await recorded()).toMatchObject({ succeeded: false, detail: `problems: ${problems}` });
    expect(office.received).toEqual([]);
    expect(payments.asked.map(({ method, body }) => [method, body])).toEqual([['GET', '']]);
  });

  test('success: a sandbox is examined as one, in lines for people', async () => {
    const registry = await registryForThisTest();
    const { code, stdout, stderr } = await cadastre(['doctor'], {
      env: { DATABASE_URL: databaseUrl(registry.databaseName), PORT: new URL(registry.url).port },
    });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ok {7}settings: those of a sandbox, with its public secrets\n/);
    expect(stdout).toMatch(/^ok {7}payment provider: answers, and takes our login$/m);
    expect(stdout).toMatch(/^ok {7}prices: /m);
  });

  test('failure: inconsistent settings, an unavailable mail server and an unavailable provider', async () => {
    const payments = await standInProvider(hangsUp);
    const { code, stderr, findings } = await doctor({
      DATABASE_URL: database.url,
      PUBLIC_URL: 'http://registry.example',
      BILLING_SECRET_AUCTION: 'auction-sandbox-secret',
      EEID_URL: 'https://eeid.example/told',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'registry@example.ee',
      ...provider(payments.url),
      PROVIDER_SECRET: 'short',
      TLS_KEY_FILE: '/nowhere/server.key',
      TLS_CERTIFICATE_FILE: '/nowhere/server.crt',
    });
    expect(notOk(findings)).toEqual([
      'warning settings: PUBLIC_URL is http://registry.example: people come without TLS.',
      'problem settings: BILLING_SECRET_AUCTION is the secret of every sandbox: anybody knows it.',
      expect.stringMatching(/^warning settings: PROVIDER_SECRET has fewer than 16 characters/),
      'warning settings: BILLING_SECRET_AUCTION is set and AUCTION_URL is not: the service is told nothing.',
      'problem settings: EEID_URL is set and BILLING_SECRET_EEID is not: its messages wait.',
      'warning settings: CONSOLE_SECRET is not set: nobody can set up an authenticator app for the console.',
      'problem settings: TLS_KEY_FILE is /nowhere/server.key, which cannot be read (ENOENT).',
      'problem settings: TLS_CERTIFICATE_FILE is /nowhere/server.crt, which cannot be read (ENOENT).',
      expect.stringMatching(/^problem mail: 127\.0\.0\.1 does not let us in \(.*\): mails wait\.$/),
      expect.stringMatching(
        /^problem payment provider: It does not answer as it should \(No answer \(.*\)\): nobody can pay\.$/,
      ),
      expect.stringMatching(/^warning rights: The login \S+ is a superuser/),
      ...UNSAFE_SERVER,
      NO_STANDBY,
      'warning certificates: CERTIFICATES is off: registrars log in with their passwords alone.',
      KEY_ELSEWHERE,
    ]);
    for (const { state, todo } of findings) expect(todo === undefined).toBe(state === 'ok');
    expect([code, stderr]).toEqual([1, 'There are 9 problems.\n']);
  });

  test('failure: overdue work, failed jobs, inconsistent data', async () => {
    const { sql: db } = database;
    const payments = await standInProvider(answers(403, { error: { code: 4001, message: 'no such user' } }));
    await db.script(`
      grant update on history to cadastre_app;
      create function public.clock_timestamp() returns timestamptz language sql as $$ select pg_catalog.clock_timestamp() + interval '5 minutes' $$;
      alter database ${database.name} set search_path = public, pg_catalog;
      update jobs set due_at = now() - interval '1 hour', failures = 3, last_failure = 'the disk was full' where name = 'domain lifecycle';
      delete from prices where zone = 'med.ee' and operation = 'renew';
      delete from prices where zone in ('pri.ee', 'fie.ee');
      insert into mails (recipient, subject, text, html, created_at, attempts, next_attempt_at, try_until, gave_up_at)
      values ('a@example.ee', 's', 't', 'h', now() - interval '1 hour', 0, now(), now(), null),
        ('b@example.ee', 's', 't', 'h', now() - interval '1 hour', 2, now(), now(), null),
        ('c@example.ee', 's', 't', 'h', now() - interval '1 hour', 9, now(), now(), now());
      insert into payments (reference, created_at, booked) values ('paid', now(), 5);
      insert into held_payments (payment_reference, kind, detail, at) values ('paid', 'amount', 'another amount', now());
      insert into refunds (payment_reference, amount, reason, actor, created_at, next_attempt_at)
      values ('paid', 5, 'x', 'y', now() - interval '2 days', now());
      update authorities set valid_until = '2026-01-01', revocation_list_until = now() + interval '1 day', valid_from = '2025-01-01';
      insert into bank_entries (account, batch_booking, direction, is_return, amount, currency, booked_on, description, source, imported_at, status, unmatched_reason)
      values ('EE489900000000000001', false, 'credit', false, 1240, 'EUR', '2026-11-13', 'd', 's', now(), 'unmatched', 'reference missing');
      insert into invoice_numbers (number, initiator, allocated_at) values (150005, 'auction', now());
      insert into invoices (number, initiator, kind, status, currency, amount, net, vat, vat_percent, description, issued_at, due_date)
      values (150005, 'auction', 'invoice', 'unpaid', 'EUR', 124, 100, 24, 24, 'x', now(), now());
      insert into invoice_exports (invoice_number, target, state, details, requested_at, actor, answered_at, reason)
      values (150005, 'accounting', 'rejected', '{}', now(), 'auction', now(), 'no such customer');
      insert into people (email, email_key, name, language, totp_secret, created_at, updated_at)
      select email, email, 'Mari', 'et', decode(repeat('01', bytes), 'hex'), now(), now()
      from (values ('clear@example.ee', 20), ('foreign@example.ee', 49)) p (email, bytes);
      insert into registrars (code, name, created_at) values ('BULK', 'Bulk', now());
      insert into bulk_jobs (public_id, registrar_id, person_id, person_name, request_id, kind, input, total, created_at, next_attempt_at, failures)
      select gen_random_uuid(), r.id, p.id, p.name, 'a', 'renew', '{}', 1, now(), now() - interval '1 hour', 1
      from registrars r, people p where p.email = 'clear@example.ee' and r.code = 'BULK';
      update installation set maintenance_since = '2026-01-02T03:04:05Z'`);
    const { code, findings } = await doctor({ ...sound(), ...provider(payments.url) });
    expect(notOk(findings)).toEqual([
      'warning mail: SMTP_URL is not set: mails wait.',
      'problem payment provider: It refuses our question (no such user).',
      'problem rights: cadastre_app may change what stands (history update).',
      ...UNSAFE_SERVER,
      NO_STANDBY,
      expect.stringMatching(
        /^problem clock: The clock of this machine is (299|300|301) s behind the database's: here it is .*$/,
      ),
      expect.stringMatching(/^problem certificates: Authority \d has ended on 2026-01-01T00:00:00\.000Z\.$/),
      expect.stringMatching(/^warning certificates: The revocation list of authority \d ends on \S+\.$/),
      KEY_ELSEWHERE,
      'problem jobs: Nobody has run what was due more than five minutes ago: domain lifecycle.',
      'problem jobs: domain lifecycle has failed 3 times in a row (the disk was full).',
      expect.stringMatching(/^problem ledger: It disagrees in \d places\.$/),
      'warning prices: Nothing can be registered or renewed in pri.ee, fie.ee: there is no price today.',
      'warning prices: Nothing can be renewed in med.ee: there is no price today.',
      'problem authenticator apps: Secrets of authenticator apps that cannot be decrypted: 1. Codes of these apps are refused.',
      'warning authenticator apps: Secrets of authenticator apps in clear text, or encrypted with the previous secret: 1.',
      'problem backlog: Mails that nobody has tried to send for more than 15 minutes: 1.',
      'warning backlog: Mails that have failed for more than 15 minutes: 1.',
      'warning backlog: Mails that were given up: 1.',
      'problem backlog: Bulk jobs of registrars that nobody has carried on for more than 15 minutes: 1.',
      'warning backlog: Bulk jobs of registrars whose batches fail: 1.',
      'problem backlog: Refunds that were ordered more than a day ago and have not taken place: 1.',
      'warning backlog: Payments that wait for a person to judge them: 1.',
      'warning backlog: Payments of the bank that wait for a person: 1.',
      'warning backlog: Invoices that the accounting service or the operator of e-invoices did not take: 1.',
      'warning backlog: Maintenance is on since 2026-01-02T03:04:05.000Z.',
    ]);
    expect(code).toBe(1);
    expect(await recorded()).toMatchObject({ succeeded: false });
  });

  test('success: the schema of an adjacent release is a warning, and everything else is examined', async () => {
    const newest = () => sql`select max(version) from schema_migrations`;
    const kept = await database.sql.one(sql<{ row: object }>`
      select to_jsonb(m) as row from schema_migrations m where version = (${newest()})`);
    await database.sql.run(sql`delete from schema_migrations where version = (${newest()})`);
    const behind = await doctor(sound());
    await database.sql.run(sql`insert into schema_migrations
      select * from jsonb_populate_record(null::schema_migrations, ${JSON.stringify(kept.row)}::jsonb)`);
    await database.sql.run(sql`insert into schema_migrations values (9999, 'next', 'x', now(), 28)`);
    const ahead = await doctor(sound());
    await database.sql.run(sql`delete from schema_migrations where version = 9999`);
    const ofSchema = ({ findings }: typeof ahead) =>
      notOk(findings).filter((line) => line.startsWith('warning database'));
    expect([behind, ahead].map(ofSchema)).toEqual([
      [
        expect.stringMatching(
          /^warning database: Migrations are pending \(\d+\); this program runs without them\.$/,
        ),
      ],
      [
        'warning database: The schema is newer than this program, which still runs on it: migration 9999 (next).',
      ],
    ]);
    for (const { findings } of [behind, ahead])
      expect(findings.some(({ check }) => check === 'jobs')).toBe(true);
  });

  test('failure: a backup that failed, a drill that is old, and a check of the ledger that was never made', async () => {
    await database.sql.script(`
      update operator_checks set succeeded = false, detail = 'There is no space.' where kind = 'backup';
      update operator_checks set succeeded_at = '2026-01-02T03:04:05Z' where kind = 'restore';
      delete from operator_checks where kind = 'ledger'`);
    const { findings } = await doctor(sound());
    expect(notOk(findings).filter((line) => line.includes('operator checks'))).toEqual([
      expect.stringMatching(/^warning operator checks: The last backup failed at \S+: There is no space\.$/),
      'warning operator checks: The last drill of a restore is of 2026-01-02T03:04:05.000Z.',
      'warning operator checks: There was never a check of the ledger.',
    ]);
    expect(findings.find(({ says }) => says.startsWith('The last backup failed'))).toMatchObject({
      todo: 'It ran and failed: remove the cause that the message names, and run cadastre backup create again.',
    });
  });

  test('failure: a check of the ledger that has not ended after two hours; success: one that began just now', async () => {
    const begin = (ago: string) =>
      database.sql.script(`
        insert into operator_checks (kind, at, succeeded, detail) values ('ledger begun', now() - interval '${ago}', true, '')
        on conflict (kind) do update set at = excluded.at;
        update operator_checks set at = now() - interval '1 day' where kind = 'ledger'`);
    const found = async () =>
      notOk((await doctor(sound())).findings).filter((line) => line.includes('has not ended'));
    await begin('1 minute');
    expect(await found()).toEqual([]);
    await begin('3 hours');
    expect(await found()).toEqual([
      expect.stringMatching(
        /^warning operator checks: The check of the ledger that began at \S+Z has not ended\.$/,
      ),
    ]);
  });

  test('failure: a backup that was recorded by a wrong clock', async () => {
    await database.sql.script(`
      update operator_checks set succeeded = true, succeeded_at = '2099-01-02T03:04:05Z' where kind = 'backup'`);
    const { findings } = await doctor(sound());
    expect(notOk(findings)).toContain(
      'warning operator checks: The last backup was recorded by a wrong clock, as of 2099-01-02T03:04:05.000Z.',
    );
  });

  test('failure: an old PostgreSQL and a schema of another version; nothing further is examined', async () => {
    await database.sql.script(`
      create function public.current_setting(text) returns text language sql as $$
        select case $1 when 'server_version_num' then '140011' when 'server_version' then '14.11 (Debian)' else pg_catalog.current_setting($1) end $$;
      delete from schema_migrations where version >= 27`);
    const { code, findings } = await doctor(sound());
    expect(notOk(findings).filter((line) => !/ (settings|mail): /.test(line))).toEqual([
      'problem database: It is PostgreSQL 14.11.',
      'problem database: The database is too old for this program: migration 27 (debts_in_statements) is missing; run cadastre migrate first.',
    ]);
    expect(findings.some(({ check }) => check === 'jobs')).toBe(false);
    expect(code).toBe(1);
  });

  test('failure: no database and unreadable settings are reported, without a password', async () => {
    const away = await doctor({
      ...sound(),
      DATABASE_URL: 'postgres://app:very-secret-word@127.0.0.1:1/registry',
    });
    expect(notOk(away.findings)).toContainEqual(
      expect.stringMatching(/^problem database: The database cannot be reached \(.*\)\.$/),
    );
    expect(JSON.stringify(away)).not.toContain('very-secret-word');
    const unread = await doctor({ PORT: 'eighty', SMTP_URL: 'very-secret-word' });
    expect(notOk(unread.findings)).toEqual([
      'problem settings: PORT must be a whole number from 0 to 65535, not "eighty".',
      expect.stringMatching(/^problem settings: SMTP_URL must be an smtp/),
    ]);
    expect(JSON.stringify(unread)).not.toContain('very-secret-word');
    expect([away.code, unread.code]).toEqual([1, 1]);
  });
});

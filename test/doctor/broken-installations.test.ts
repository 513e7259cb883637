import { mkdtempSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedServer, startEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import type { Owner } from '../../src/platform/database/database.ts';
import { cadastre, databaseUrl, type Environment } from '../support/cadastre.ts';
import { inFiles, selfSigned } from '../support/certificates.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { makeHome, placeOfHomes } from '../support/prepared-home.ts';

/** A production installation on a server of its own, whose settings can be changed, with everything that it needs. */
let home: string;
let server: EmbeddedServer;
let owner: Owner;
let sound: Environment;
const DATABASE = 'registry';
const RECORD_OF_BACKUP = `insert into operator_checks (kind, at, succeeded, succeeded_at, detail) values ('backup', now(), true, now(), '')`;
const CA_FOLDER = () => path.join(home, 'authorities');

beforeAll(async () => {
  home = makeHome(placeOfHomes());
  server = await startEmbeddedPostgres(home);
  const admin = await connectAsOwner(server.address);
  await admin.script(`create database ${DATABASE}`);
  await admin.script('create role registry_serve login; grant cadastre_app to registry_serve');
  await admin.close();
  owner = await connectAsOwner({ ...server.address, database: DATABASE });
  sound = {
    DATABASE_URL: databaseUrl(DATABASE, { ...server.address, username: 'registry_serve' }),
    DATABASE_OWNER_URL: databaseUrl(DATABASE, server.address),
    PUBLIC_URL: 'https://registry.example',
    TRUSTED_PROXIES: '10.0.0.1/32',
    CERTIFICATES: 'proxy',
    CONSOLE_SECRET: 'a-long-secret-of-the-console',
    CA_FOLDER: CA_FOLDER(),
    MAIL_FROM: 'registry@example.ee',
  };
  await done(['migrate']);
  await done(['registrar', 'create', 'GAMMA', '--name', 'Gamma']);
  await done(['ledger', 'correct', 'GAMMA', '--reason', 'a start', '--', '100.00']);
  await done(['ca', 'init']);
  await owner.script(RECORD_OF_BACKUP);
});
afterAll(async () => {
  await owner?.close();
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

async function done(args: string[]): Promise<void> {
  expect(await cadastre(args, { env: sound })).toMatchObject({ code: 0 });
}

/** The lines of the doctor that are not ok. */
async function diagnose(env: Environment = {}): Promise<string[]> {
  const { stdout } = await cadastre(['doctor', '--json'], { env: { ...sound, ...env } });
  const found = JSON.parse(stdout) as { check: string; state: string; says: string }[];
  return found
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state, says }) => `${state} ${check}: ${says}`);
}

type Fault = {
  readonly what: string;
  /** Returns the settings that belong to it. */
  readonly cause: () => Promise<Environment>;
  readonly mend?: () => Promise<unknown>;
  readonly line: RegExp;
};

const setServer = (setting: string) => async () => {
  await owner.script(`alter system ${setting}`);
  await owner.script('select pg_reload_conf()');
};
const inServer = (name: string, check: string): Pick<Fault, 'cause' | 'mend'> => ({
  cause: async () => {
    await setServer(`set ${name} = off`)();
    await expect.poll(() => diagnose()).toContainEqual(expect.stringContaining(check));
    return {};
  },
  mend: setServer(`reset ${name}`),
});
const inDatabase = (cause: string, mend: string): Pick<Fault, 'cause' | 'mend'> => ({
  cause: () => owner.script(cause).then(() => ({})),
  mend: () => owner.script(mend),
});
const filesOf = async (identity: { key: string; cert: string }): Promise<Environment> => {
  const { tlsKeyFile, tlsCertificateFile } = await inFiles(identity);
  return { TLS_KEY_FILE: tlsKeyFile, TLS_CERTIFICATE_FILE: tlsCertificateFile };
};

const faults: readonly Fault[] = [
  {
    what: 'a mail server that cannot be reached',
    cause: async () => ({ SMTP_URL: 'smtp://127.0.0.1:1' }),
    line: /^problem mail: 127\.0\.0\.1 does not let us in \(.*\): mails wait\.$/,
  },
  {
    what: 'a payment provider that cannot be reached',
    cause: async () => ({
      PROVIDER_URL: 'http://127.0.0.1:1',
      PROVIDER_LINK_URL: 'http://127.0.0.1:1/lp',
      PROVIDER_USER: 'us',
      PROVIDER_SECRET: 'a-long-secret-of-ours',
      PROVIDER_ACCOUNT: 'EUR-ours',
      PROVIDER_LINK_TOKEN: 'token',
    }),
    line: /^problem payment provider: .*: nobody can pay\.$/,
  },
  {
    what: 'a certificate near its end',
    cause: async () => filesOf(await selfSigned('registry.example')),
    line: /^warning certificates: The server's own certificate \(TLS_CERTIFICATE_FILE\) ends on /,
  },
  {
    what: 'a file that a setting names and that is missing',
    cause: async () => ({ BACKUP_KEY_FILE: '/nowhere/backup.key' }),
    line: /^problem settings: BACKUP_KEY_FILE is \/nowhere\/backup\.key, which cannot be read \(ENOENT\)\.$/,
  },
  {
    what: 'EPP without a key',
    cause: async () => ({ EPP_PORT: '700' }),
    line: /^problem settings: EPP_PORT needs EPP_TLS_KEY_FILE /,
  },
  {
    what: 'a balance that was written over',
    ...inDatabase(
      `update ledger_accounts set balance = balance + 1 where balance = 10000`,
      `update ledger_accounts set balance = balance - 1 where balance = 10001`,
    ),
    line: /^problem ledger: It disagrees in 1 places\.$/,
  },
  {
    what: 'a cause of a hold that was written without triggers',
    ...inDatabase(
      `insert into contacts (registrar_id, code, code_key, name, name_key, email, phone, ident, ident_type, ident_country_code, auth_info, created_at, updated_at)
       select id, 'X', 'x', 'N', 'n', 'a@b.ee', '+372.1', '1', 'priv', 'EE', 'x', now(), now() from registrars where code = 'GAMMA';
       insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time, statuses, hold_causes)
       select 'held.ee', 'ee', registrar_id, id, 'a-transfer-code', now(), now(), now() + interval '1 year', '{"serverHold": ""}', '["registry"]' from contacts where code = 'X';
       delete from domain_hold_causes`,
      `delete from domains where name = 'held.ee'; delete from contacts where code = 'X'`,
    ),
    line: /^problem holds: The causes of serverHold are recorded wrongly, of held\.ee among others\.$/,
  },
  {
    what: 'a right of the role that was revoked',
    ...inDatabase('revoke insert on contacts from cadastre_app', 'grant insert on contacts to cadastre_app'),
    line: /^problem schema: cadastre_app may not insert on contacts\.$/,
  },
  {
    what: 'a right to change history',
    ...inDatabase('grant update on history to cadastre_app', 'revoke update on history from cadastre_app'),
    line: /^problem rights: cadastre_app may change what stands \(history update\)\.$/,
  },
  {
    what: 'a clock that is wrong',
    ...inDatabase(
      `create function public.clock_timestamp() returns timestamptz language sql as $$ select pg_catalog.clock_timestamp() + interval '5 minutes' $$;
       alter database ${DATABASE} set search_path = public, pg_catalog`,
      `alter database ${DATABASE} reset search_path; drop function public.clock_timestamp()`,
    ),
    line: /^problem clock: The clock of this machine is \d+ s behind the database's/,
  },
  {
    what: 'a login that is a superuser',
    cause: async () => ({ DATABASE_URL: databaseUrl(DATABASE, server.address) }),
    line: /^warning rights: The login \S+ is a superuser/,
  },
  {
    what: 'a key that does not fit its certificate',
    cause: async () =>
      filesOf({ ...(await selfSigned('a.example')), key: (await selfSigned('b.example')).key }),
    line: /^problem certificates: TLS_KEY_FILE and TLS_CERTIFICATE_FILE cannot be used: the key is not that of the certificate/,
  },
  {
    what: 'a job that is due too far ahead',
    ...inDatabase(
      `insert into jobs (name, due_at, interval_ms) values ('an old job', now() + interval '420 days', 60000)`,
      `delete from jobs where name = 'an old job'`,
    ),
    line: /^problem times: Jobs are due later than their intervals allow: an old job\.$/,
  },
  {
    what: 'a backup that was never made',
    ...inDatabase('delete from operator_checks', RECORD_OF_BACKUP),
    line: /^warning operator checks: There was never a backup\.$/,
  },
  {
    what: 'the key of the authority, which is missing',
    cause: () =>
      rename(CA_FOLDER(), `${CA_FOLDER()}.away`).then(() => ({ CA_FOLDER: mkdtempSync(`${home}/`) })),
    mend: () => rename(`${CA_FOLDER()}.away`, CA_FOLDER()),
    line: /^warning certificates: The key of authority 1 is not on this machine/,
  },
  {
    what: 'an index that was dropped',
    ...inDatabase(
      'drop index ledger_entries_payment',
      'create index ledger_entries_payment on ledger_entries (payment_reference) where payment_reference is not null',
    ),
    line: /^problem schema: These indexes are missing, or do not work: ledger_entries_payment\.$/,
  },
  {
    what: 'a trigger that was disabled',
    ...inDatabase(
      'alter table history disable trigger history_write_events',
      'alter table history enable trigger history_write_events',
    ),
    line: /^problem schema: These triggers are missing, or do not work: history\.history_write_events\.$/,
  },
  {
    what: 'full_page_writes off',
    ...inServer('full_page_writes', 'full_page_writes'),
    line: /^problem database server: full_page_writes is off/,
  },
  {
    what: 'synchronous_commit off',
    ...inDatabase(
      'alter role registry_serve set synchronous_commit = off',
      'alter role registry_serve reset synchronous_commit',
    ),
    line: /^problem database server: synchronous_commit is off/,
  },
  {
    what: 'autovacuum off',
    ...inServer('autovacuum', 'autovacuum'),
    line: /^problem database server: autovacuum is off/,
  },
  {
    what: 'a table that autovacuum passes over',
    ...inDatabase(
      'alter table history set (autovacuum_enabled = false)',
      'alter table history reset (autovacuum_enabled)',
    ),
    line: /^warning database server: Autovacuum passes over these tables: history\.$/,
  },
];

describe('what the doctor names', () => {
  let healthy: string[];
  beforeAll(async () => {
    healthy = await diagnose();
  });

  test('success: nothing of it in a sound installation', () => {
    expect(healthy.filter((line) => faults.some((fault) => fault.line.test(line)))).toEqual([]);
  });

  test.each(faults)('failure: $what', async ({ cause, mend, line }) => {
    try {
      const env = await cause();
      const found = await diagnose(env);
      expect(found.filter((one) => !healthy.includes(one))).toContainEqual(expect.stringMatching(line));
    } finally {
      await mend?.();
    }
  });
});

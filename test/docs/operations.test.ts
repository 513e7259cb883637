import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { program, run } from '../../src/app/program.ts';
import { createAuthority, signRequest } from '../../src/platform/certificates/authority.ts';
import { readRequest } from '../../src/platform/certificates/certificate-request.ts';
import { text } from '../../src/platform/sql/statement.ts';
import { Payer, Service } from '../support/billing.ts';
import { databaseUrl } from '../support/cadastre.ts';
import { camt } from '../support/camt.ts';
import { askFor } from '../support/certificates.ts';
import { alpha } from '../support/client.ts';
import { createContact } from '../support/contacts.ts';
import { newDomain } from '../support/domains.ts';
import { restRegularJobs } from '../support/jobs.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { blocksOf, readPage } from './markdown.ts';
import { pagesInOrder } from './operator-pages.ts';

/**
 * Every command of the pages for operators, in their order, beside a server that runs. The words of a line are what bash makes
 * of it; they are then given to the program in this process, since a process for each would take a minute. What a
 * command needs is created before the first page begins. Blocks that need another machine are marked `sh no-run`.
 */
/** Commands without a runnable example: the registry here is a sandbox, which migrates its own database and has no limits. */
const NOT_ON_THE_PAGES = [
  'sandbox',
  'serve',
  'work',
  'migrate',
  'restore',
  'backup drill',
  'staging on',
  'recovery confirm',
  'settings',
  'completion',
  'maintenance status',
  'job approve',
  'clock confirm',
];
/** The page shows a reference of the provider; the payment prepared here has another. So does the certificate. */
const SERIAL_ON_THE_PAGE = '5f0c3a7be0c54d1f8a0f2c7e9d6b1a42';
const REFERENCE_ON_THE_PAGE = 'd5ac4da1071222bba60ada29484c82dd3b4e8faafb91c054edd8618f319f7b77';

/** Existing files are not overwritten, so these lines cannot run twice. */
const whole = await program();
const WRITES_FILES = ['pdf', 'ubl', 'csv', 'create'];

let registry: TestRegistry;
let paidReference: string;
let surroundings: { readonly folder: string; readonly former: string; readonly env: NodeJS.ProcessEnv };

beforeAll(async () => {
  registry = await startRegistry();
  surroundings = enter({
    DATABASE_URL: databaseUrl(registry.databaseName),
    PORT: new URL(registry.url).port,
    CADASTRE_HOME: '.',
    BACKUP_KEY_FILE: 'backup.key',
  });
  writeFileSync('statement.xml', camt([{ amount: '12.40', text: 'Aitäh!', reference: 'PAGE-1' }]));
  writeFileSync('backup.key', 'a key of more than sixteen characters', { mode: 0o600 });
  writeFileSync('names.csv', 'name\nesimene.ee\nteine.ee\n');
  await writeCertificates();
  paidReference = await prepareRegistry();
});
afterAll(async () => {
  process.chdir(surroundings.former);
  process.env = surroundings.env;
  rmSync(surroundings.folder, { recursive: true });
  await registry.stop();
});

function enter(env: NodeJS.ProcessEnv) {
  const left = { folder: mkdtempSync(path.join(os.tmpdir(), 'cadastre-page-')), former: process.cwd() };
  const formerEnv = process.env;
  process.chdir(left.folder);
  process.env = { ...formerEnv, ...env };
  return { ...left, env: formerEnv };
}

/** The state that the page assumes: a deleted domain, invoices, a held payment, bank entries, given-up mails. */
async function prepareRegistry(): Promise<string> {
  const client = alpha(registry.url);
  const code = await createContact(client, { id: 'ALPHA:1a2b3c4d' });
  await client.post('/domains', newDomain(code, { name: 'example.ee', period: 3 }));
  await client.delete('/domains/example.ee', { domain: { delete: { verified: true } } });
  const [auction, payer] = [new Service(registry.url), new Payer(registry.url)];
  const [paid, unpaid, odd] = [await auction.invoice(), await auction.invoice(), await auction.invoice()];
  expect([paid.number, unpaid.number]).toEqual([150005, 150006]);
  const reference = await payer.pay(paid.link);
  await payer.pay(odd.link, 'settled', { amount: '25.00' });
  await vi.waitFor(
    async () => {
      expect((await payer.invoice(paid.number)).status).toBe('paid');
      expect((await payer.invoice(odd.number)).held).toBe(true);
    },
    { timeout: 20_000 },
  );
  const buyer = { buyer_name: 'Ostja', buyer_reg_no: '12345678' };
  await auction.post('/e_invoice/e_invoice', { invoice: { number: paid.number, ...buyer } });
  await carried('portal', 'token', 'create', 'portal-2030');
  await registry.sql.script(`
    with anna as (
      insert into people (email, email_key, name, language, created_at, updated_at)
      values ('anna@alpha.example', 'anna@alpha.example', 'Anna', 'en', now(), now()) returning id)
    insert into memberships (person_id, registrar_id, roles, created_at)
    select anna.id, r.id, '{admin}', now() from anna, registrars r where r.code = 'ALPHA'`);
  for (const [id, username] of [
    [7, 'alpha'],
    [9, 'beta'],
  ] as const)
    await registry.sql.run(sql`
      insert into certificate_requests (id, user_id, request, requested_by, created_at) overriding system value
      select ${id}, id, ${(await askFor(username)).request}, 'person:anna@alpha.example', now() from api_users where username = ${username}`);
  await registry.sql.script(`
    insert into mails (id, recipient, subject, text, html, created_at, attempts, next_attempt_at, try_until, gave_up_at)
    overriding system value
    select id, 'gone@example.ee', 's', 't', 'h', now(), 9, now(), now(), now() from unnest(array[17, 18]) as id;
    insert into bank_entries (id, account, batch_booking, direction, is_return, amount, currency, booked_on, description, source, imported_at, status, unmatched_reason)
    overriding system value
    select id, 'EE489900000000000001', false, 'credit', false, 1240, 'EUR', '2026-11-13', 'd', 's', now(), 'unmatched', 'reference missing' from unnest(array[7, 9]) as id;
    insert into bank_entry_changes (entry_id, to_status, at, actor) values (7, 'unmatched', now(), 'bank');
    insert into monthly_statements (registrar_id, month, currency, opening, net_change, closing, opening_debt, debt_incurred, debt_repaid, closing_debt, created_at)
    select id, '2026-10-01', 'EUR', 0, 0, 0, 0, 0, 0, 0, now() from registrars where code = 'ALPHA';
    insert into epp_sessions (id, registrar_id, user_id, address, server, logged_in_at, lease_until, last_command_at)
    select session::uuid, u.registrar_id, u.id, '192.0.2.1', 'registry:1', now(), now() + interval '3 minutes', now()
    from api_users u, unnest(array['0f4f9c1e-52c5-4b0e-9a44-3b7a5d1c2e60', '0f4f9c1e-52c5-4b0e-9a44-3b7a5d1c2e61']) as session
    where u.username = 'alpha';
    insert into deliveries (id, target, kind, body, created_at, attempts, next_attempt_at, try_until, gave_up_at)
    values ('0b6d2c1e-8a3f-4f57-9a41-6f0c2f4f7a10', 'service:auction', 'invoice-paid', '{}', now(), 9, now(), now(), now())`);
  await registry.sql.script(`
    insert into webhook_endpoints (public_id, registrar_id, position, url, description, event_types, created_at, updated_at)
    select 'whe_5f3a0c1e9b7d2468', id, 1, 'https://shop.example/', '', '{balance.debt}', now(), now() from registrars where code = 'ALPHA'`);
  // Regular jobs stop here: their changes would be mistaken for those of a dry run.
  await restRegularJobs(registry.sql);
  return reference;
}

/** Resolves once all earlier background work has ended. */
const untilQuiet = () =>
  vi.waitFor(
    async () =>
      expect(
        await registry.sql.rows(sql`
          select from mails where sent_at is null and gave_up_at is null
          union all select from deliveries where delivered_at is null and gave_up_at is null
          union all select from payments where poll_at is not null or poll_lease_until is not null
          union all select from refunds where state = 'waiting'
          union all select from zone_marks
          union all select from provider_simulator.callbacks where next_attempt_at is not null`),
      ).toHaveLength(0),
    { timeout: 30_000, interval: 20 },
  );

/** What a registrar sends, and what another authority has signed for it. */
async function writeCertificates(): Promise<void> {
  const [from, until] = [new Date(Date.now() - 60_000), new Date(Date.now() + 3_600_000)];
  const { request } = await askFor('gamma');
  const epp = await createAuthority('EPP', { from, until });
  writeFileSync('gamma.csr', request);
  writeFileSync('epp-ca.pem', epp.certificate);
  const details = { organisation: 'GAMMA', validity: { from, until }, listUrl: 'http://epp.example/crl' };
  writeFileSync('gamma.pem', await signRequest(epp, await readRequest(request), details));
}

/** The line with the values of this registry instead of those of the pages. */
async function here(words: readonly string[]): Promise<string[]> {
  const [certificate] = await registry.sql.rows(sql<{ serial: string }>`
    select serial from certificates order by id desc limit 1`);
  // A dry run consumes sequence numbers: the first authority is not number 1 here.
  const [authority] = await registry.sql.rows(
    sql<{ id: number }>`select id from authorities order by id limit 1`,
  );
  const instead = new Map([
    ...(words[0] === 'ca' ? [['1', String(authority?.id)] as const] : []),
    [REFERENCE_ON_THE_PAGE, paidReference],
    [SERIAL_ON_THE_PAGE, certificate?.serial ?? ''],
  ]);
  return words.map((word) => instead.get(word) ?? word);
}

type Spoken = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** The program in this process, and what it wrote. */
async function carried(...words: string[]): Promise<Spoken> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written[name] += String(chunk);
      return true;
    }),
  );
  try {
    return { code: await run(['node', 'cadastre', ...words]), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** All commands of the pages as bash takes them apart: quotes, comments and redirections are the shell's. */
async function commandsOfThePages(): Promise<string[][]> {
  const shell = pagesInOrder()
    .flatMap((page) => blocksOf(readPage(page)))
    .filter(({ language, marks }) => language === 'sh' && marks.length === 0);
  // Keys are made before the first page begins.
  const stubs = `openssl() { :; }; cadastre() { { printf '%s\\0' "$@"; printf '\\n'; } >&3; }; exec 3>&1 >/dev/null`;
  const { stdout } = await promisify(execFile)(
    'bash',
    ['--norc', '-euc', [stubs, ...shell.map(({ text }) => text)].join('\n')],
    {
      // A redirection of the shell is not an argument of the program.
      cwd: mkdtempSync(path.join(surroundings.folder, 'shell-')),
    },
  );
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\0').slice(0, -1));
}

/** The command that the words lead to, and its name. */
function find(words: readonly string[], command = whole, name: string[] = []): [string, Command] {
  const sub = command.commands.find((known) => known.name() === words[0]);
  return sub ? find(words.slice(1), sub, [...name, sub.name()]) : [name.join(' '), command];
}
const takes = (command: Command, option: string) => command.options.some(({ long }) => long === option);
const leaves = (command: Command, name: string[] = []): string[] =>
  command.commands.length === 0
    ? [name.join(' ')]
    : command.commands.flatMap((sub) => leaves(sub, [...name, sub.name()]));

/** Written in the background: by the worker about its jobs, and from what requests have done. */
const BACKGROUND_TABLES = ['jobs', 'api_calls', 'object_counts', 'daily_figures'];

/** Everything else in the database. */
async function everything(): Promise<unknown> {
  const tables = await registry.sql.rows(sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = 'public' and tablename <> all(${BACKGROUND_TABLES}::text[]) order by 1`);
  const parts = tables.map(({ name }) => `select '${name}' as name, t::text as row from ${name} t`);
  // Sorted here: eighty sorts of the server take it a hundred times as long as the rows.
  const rows = await registry.sql.rows(
    sql<{ name: string; row: string }>`${text(parts.join(' union all '))}`,
  );
  return rows.map(({ name, row }) => `${name} ${row}`).sort();
}

describe('the commands of the pages for operators', () => {
  test('success: each works; changes can be tried with a dry run, and irreversible ones ask', {
    timeout: 120_000,
  }, async () => {
    const commands = await commandsOfThePages();
    expect(commands.length).toBeGreaterThan(70);
    for (const words of commands) {
      const line = words.join(' ');
      const [, command] = find(words);
      const given = await here(words);
      if (takes(command, '--dry-run')) {
        // Options go in front of a `--` that the line may have.
        const end = given.includes('--') ? given.indexOf('--') : given.length;
        await untilQuiet();
        const before = await everything();
        const rehearsed = await carried(...given.toSpliced(end, 0, '--dry-run', '--json'));
        expect([line, rehearsed.code, rehearsed.stderr]).toEqual([line, 0, '']);
        expect([line, JSON.parse(rehearsed.stdout).dryRun]).toEqual([line, true]);
        expect([line, await everything()]).toEqual([line, before]);
      }
      if (given.includes('--yes')) {
        const asked = await carried(...given.filter((word) => word !== '--yes'));
        expect([line, asked.code, asked.stdout]).toEqual([line, 1, '']);
        expect(asked.stderr).toMatch(/ add --yes if it is meant\.\n$/);
      }
      const outcome = await carried(...given);
      expect([line, outcome.code, outcome.stderr]).toEqual([line, 0, '']);
      if (!takes(command, '--dry-run') && takes(command, '--json') && !WRITES_FILES.includes(command.name()))
        JSON.parse((await carried(...given.filter((word) => word !== '--json'), '--json')).stdout);
    }
  });

  test('success: every command has its example there', async () => {
    const shown = new Set((await commandsOfThePages()).map((words) => find(words)[0]));
    const missing = leaves(whole).filter((name) => !shown.has(name) && !NOT_ON_THE_PAGES.includes(name));
    expect(missing).toEqual([]);
  });

  test('success: every command has machine-readable output, and every change a dry run', () => {
    const commands = leaves(whole).map((name) => [name, find(name.split(' '))[1]] as const);
    const silent = ['sandbox', 'serve', 'work', 'completion'];
    for (const [name, command] of commands)
      expect([name, takes(command, '--json')]).toEqual([name, !silent.includes(name)]);
    const only = commands.filter(([, command]) => !takes(command, '--dry-run')).map(([name]) => name);
    expect(
      only.filter(
        (name) =>
          !/(^| )(list|show|status|check|held|differences|export|exports|pdf|ubl|test|certificate|csv|unmatched|sums|sessions|serial|requests|deliveries)$/.test(
            name,
          ),
      ),
    ).toEqual([
      'sandbox',
      'serve',
      'work',
      'backup create',
      'backup verify',
      'backup drill',
      'history',
      'doctor',
      'settings',
      'completion',
    ]);
    for (const [name, command] of commands)
      if (takes(command, '--yes')) expect([name, takes(command, '--dry-run')]).toEqual([name, true]);
  });
});

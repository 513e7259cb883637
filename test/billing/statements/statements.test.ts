import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { mailStatements } from '../../../src/billing/statements/mail-statements.ts';
import { makeStatements } from '../../../src/billing/statements/make-statements.ts';
import {
  findStatement,
  type MonthlyStatement,
  type StatementLine,
} from '../../../src/billing/statements/find-statements.ts';
import { statementCsv } from '../../../src/billing/statements/statement-csv.ts';
import { printStatement } from '../../../src/billing/statements/print-statement.ts';
import { postCorrection } from '../../../src/ledger/post-correction.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import { ee } from '../../../src/policy/ee.ts';
import { Payer } from '../../support/billing.ts';
import { cadastre, databaseUrl } from '../../support/cadastre.ts';
import { alpha, type Client, poor } from '../../support/client.ts';
import { Registrant } from '../../support/domains.ts';
import { moveClock, sentMails } from '../../support/life.ts';
import { overlaps, readPdf } from '../../support/pdf.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

/** January 2030 has transactions, February none. */
let registry: TestRegistry;
let database: Database;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  const target = { ...inject('server'), database: registry.databaseName };
  database = openDatabase(target, readConfig('sandbox', {}), ee.timeZone);
  client = alpha(registry.url);
  // The clock jumps over a long time without an address: its statements are made at the end.
  await moveClock(registry, { set: '2030-01-31T09:00:00Z' });
  await registry.sql.run(
    sql`update registrars set email = lower(code) || '@registrar.example' where code <> 'POOR'`,
  );
  await simulateJanuary();
  // Ten minutes before midnight in Tallinn, and ten minutes after it.
  await moveClock(registry, { set: '2030-01-31T21:50:00Z' });
  await register(client, { period: 1 });
  await moveClock(registry, { set: '2030-01-31T22:10:00Z' });
  await register(client, { period: 2 });
}, 60_000);
afterAll(async () => {
  await database.close();
  await registry.stop();
});

const register = async (of: Client, changes: object) => (await Registrant.of(of)).register({ ...changes });
const at = new Date('2030-01-31T12:00:00Z');
const correct = (registrar: string, amount: bigint) =>
  postCorrection(registry.sql, { registrar, amount, reason: 'a test', actor: 'test', at });

async function simulateJanuary(): Promise<void> {
  for (const period of [3, 6]) await register(client, { period, period_unit: 'm' });
  await register(client, { period: 1 });
  const name = await register(client, { period: 1, name: `${crypto.randomUUID().slice(0, 8)}.com.ee` });
  const { expire_time } = (await client.get(`/domains/${name}`)).body.data.domain;
  const renewed = await client.post(`/domains/${name}/renew`, {
    renews: { period: 9, period_unit: 'm', exp_date: expire_time.slice(0, 10) },
  });
  expect(renewed.status).toBe(200);
  await correct('ALPHA', 500n);
  await correct('ALPHA', -200n);
  // A top-up is paid and charged back when half of it was spent: the rest becomes a debt, and is repaid in part.
  const payer = new Payer(registry.url);
  const { body } = await poor(registry.url).post('/invoices/add_credit', { invoice: { amount: '100.00' } });
  const reference = await payer.pay(body.data.invoice.payment_link);
  await payer.invoice(body.data.invoice.invoice_number);
  await correct('POOR', -5_500n);
  await payer.move(reference, 'refunded');
  await payer.invoice(body.data.invoice.invoice_number);
  await correct('POOR', 2_000n);
}

const statementOf = async (registrar: string, month: string): Promise<MonthlyStatement> => {
  const found = await findStatement(registry.sql, registrar, month);
  if (!found) throw new Error(`there is no statement of ${registrar} for ${month}`);
  return found;
};
const short = ({ kind, zone, months, count, sum }: StatementLine) => [kind, zone, months, count, sum];

describe('on the first of the month', () => {
  test('failure: not before one o’clock in the registry’s zone', async () => {
    await moveClock(registry, { set: '2030-01-31T22:59:00Z' });
    expect(await findStatement(registry.sql, 'ALPHA', '2030-01')).toBeUndefined();
  });

  test('success: registrations and renewals by zone and period, and all other entries', async () => {
    await moveClock(registry, { set: '2030-01-31T23:00:30Z' });
    const { opening, closing, lines } = await statementOf('ALPHA', '2030-01');
    expect(lines.map(short)).toEqual([
      ['create', 'com.ee', 12, 1, -900n],
      ['create', 'ee', 3, 1, -300n],
      ['create', 'ee', 6, 1, -500n],
      ['create', 'ee', 12, 2, -1800n],
      ['renew', 'com.ee', 9, 1, -700n],
      ['correction', null, null, 2, 300n],
    ]);
    expect(opening).toBe(10_000_000n);
    expect(closing).toBe(opening + lines.reduce((total, { sum }) => total + sum, 0n));
  });

  test('success: a debt that came up and was repaid in part', async () => {
    const statement = await statementOf('POOR', '2030-01');
    expect(statement.lines.map(short)).toEqual([
      ['top-up', null, null, 1, 10_000n],
      ['refund', null, null, 1, -10_000n],
      ['correction', null, null, 2, -3_500n],
      ['debt incurred', null, null, 1, 5_000n],
      ['debt repayment', null, null, 1, -2_000n],
    ]);
    expect(statement).toMatchObject({
      opening: 500n,
      closing: 0n,
      openingDebt: 0n,
      debtGrown: 5_000n,
      debtRepaid: 2_000n,
      closingDebt: 3_000n,
    });
  });

  test('success: every balance is the ledger’s own, and each month begins as the last one ended', async () => {
    await moveClock(registry, { set: '2030-03-01T12:00:00Z' });
    const disagreeing = await registry.sql.rows(sql`
      select s.registrar_id, s.month from monthly_statements s
      join ledger_accounts a on a.registrar_id = s.registrar_id and a.kind = 'registrar'
      left join monthly_statements next on next.registrar_id = s.registrar_id and next.month = s.month + interval '1 month'
      where s.closing <> (
          select coalesce(sum(case when e.credit_account = a.id then e.amount else -e.amount end), 0) from ledger_entries e
          where a.id in (e.credit_account, e.debit_account) and e.at < (s.month + interval '1 month') at time zone 'Europe/Tallinn')
        or s.closing <> coalesce(next.opening, s.closing) or s.closing_debt <> coalesce(next.opening_debt, s.closing_debt)
        or s.net_change <> (select coalesce(sum(l.sum), 0) from monthly_statement_lines l where l.registrar_id = s.registrar_id and l.month = s.month)`);
    expect(disagreeing).toEqual([]);
    const [counted] = await registry.sql.rows(sql`
      select count(*)::int as made, count(distinct month)::int as months, min(month)::text as first from monthly_statements`);
    expect(counted).toMatchObject({ made: (counted?.months ?? 0) * 3 });
    expect(counted?.months).toBeGreaterThan(3);
    const february = await statementOf('ALPHA', '2030-02');
    expect(february.lines.map(short)).toEqual([['create', 'ee', 24, 1, -1800n]]);
    const quiet = await statementOf('BETA', '2030-02');
    expect(quiet).toMatchObject({ opening: 10_000_000n, closing: 10_000_000n, lines: [] });
  });

  test('success: mailed once with its files, but not where there is no address or no transaction', async () => {
    await sentMails(registry);
    const mails = await registry.sql.rows(sql`
      select m.recipient, array_agg(a.name order by a.position) as files from mails m join mail_attachments a on a.mail_id = m.id
      where m.subject like '%2030-01%' group by m.id, m.recipient order by m.recipient`);
    expect(mails).toEqual([
      { recipient: 'alpha@registrar.example', files: ['ALPHA-2030-01.pdf', 'ALPHA-2030-01.csv'] },
      { recipient: 'beta@registrar.example', files: ['BETA-2030-01.pdf', 'BETA-2030-01.csv'] },
    ]);
    const sent = (await sentMails(registry)).find(({ subject }) => subject.includes('2030-01'));
    expect(sent?.text).toContain('Opening balance');
  });
});

describe('by several makers', () => {
  test('success: several workers, one that died before it mailed, and missed months, of which the last three are mailed', async () => {
    await registry.sql.run(sql`
      insert into registrars (code, name, website, email, created_at) values ('IDLE', 'Idle', '', 'idle@registrar.example', '2030-03-10')`);
    await registry.sql.run(sql`
      insert into ledger_accounts (kind, registrar_id, currency, balance) select kind, r.id, 'EUR', 0 from registrars r, unnest(array['registrar', 'debt']) as k(kind) where r.code = 'IDLE'`);
    const later = new Date('2030-07-02T12:00:00Z');
    await Promise.all(Array.from({ length: 4 }, () => makeStatements(database, ee, later)));
    await Promise.all(Array.from({ length: 4 }, () => mailStatements(database, ee, later)));
    await makeStatements(database, ee, later);
    await mailStatements(database, ee, later);
    const rows = await registry.sql.rows(sql`
      select r.code, to_char(s.month, 'YYYY-MM') as month, s.mailed_at is not null as mailed,
        (select count(*)::int from mails m where m.recipient = r.email and m.subject like '%' || to_char(s.month, 'YYYY-MM') || '%') as mails
      from monthly_statements s join registrars r on r.id = s.registrar_id where s.month >= '2030-03-01' order by 2, 1`);
    expect(rows.map(({ code, month, mailed, mails }) => [code, month, mailed, mails])).toEqual(
      ['2030-03', '2030-04', '2030-05', '2030-06'].flatMap((month) => {
        const isMailed = month > '2030-03';
        return [
          ['ALPHA', month, isMailed, Number(isMailed)],
          ['BETA', month, isMailed, Number(isMailed)],
          ['IDLE', month, false, 0],
          ['POOR', month, false, 0],
        ];
      }),
    );
  });

  test('failure: the database refuses a statement that does not add up, and any change of one', async () => {
    const wrong = sql`
      insert into monthly_statements (registrar_id, month, currency, opening, net_change, closing, opening_debt, debt_incurred, debt_repaid, closing_debt, created_at)
      values (1, '2040-01-01', 'EUR', 1, 1, 3, 0, 0, 0, 0, now())`;
    await expect(registry.sql.run(wrong)).rejects.toMatchObject({ code: '23514' });
    await expect(database.writes.rows(sql`update monthly_statements set closing = 0`)).rejects.toMatchObject({
      code: '42501',
    });
    await expect(database.writes.rows(sql`delete from monthly_statement_lines`)).rejects.toMatchObject({
      code: '42501',
    });
  });
});

describe('CSV and PDF', () => {
  test('success: CSV line by line', async () => {
    const csv = statementCsv(await statementOf('ALPHA', '2030-01'));
    expect(csv.split('\r\n')).toEqual([
      'registrar,month,entry,zone,period,count,sum,currency',
      'ALPHA,2030-01,opening balance,,,,100000.00,EUR',
      'ALPHA,2030-01,create,com.ee,1y,1,-9.00,EUR',
      'ALPHA,2030-01,create,ee,3m,1,-3.00,EUR',
      'ALPHA,2030-01,create,ee,6m,1,-5.00,EUR',
      'ALPHA,2030-01,create,ee,1y,2,-18.00,EUR',
      'ALPHA,2030-01,renew,com.ee,9m,1,-7.00,EUR',
      'ALPHA,2030-01,correction,,,2,3.00,EUR',
      'ALPHA,2030-01,closing balance,,,,99961.00,EUR',
      ...['opening debt', 'debt grown', 'debt repaid', 'closing debt'].map(
        (entry) => `ALPHA,2030-01,${entry},,,,0.00,EUR`,
      ),
      '',
    ]);
  });

  test('success: the PDF has the same content, on as many pages as needed, always in the same bytes', async () => {
    const statement = await statementOf('ALPHA', '2030-01');
    const print = (of: MonthlyStatement) => printStatement(of, ee.billing.seller);
    const pdf = await readPdf(await print(statement));
    expect(overlaps(pdf.pieces)).toEqual([]);
    expect(pdf.pages).toHaveLength(1);
    expect(pdf.pages[0]).toContain('Algsaldo / Opening balance 100 000.00');
    expect(pdf.pages[0]).toContain('Registreerimine / Registration .ee, 1y 2 -18.00');
    expect(pdf.pages[0]).toContain('Lõppsaldo / Closing balance 99 961.00');
    expect((await print(statement)).equals(await print(statement))).toBe(true);
    const owing = await readPdf(await print(await statementOf('POOR', '2030-01')));
    expect(owing.pages[0]).toContain('Võlg kuu lõpus / Debt at the end 30.00');
    const line = statement.lines[0];
    if (!line) throw new Error('the statement has no lines');
    const long = await readPdf(await print({ ...statement, lines: Array.from({ length: 80 }, () => line) }));
    expect(long.pages.length).toBeGreaterThan(2);
    expect(overlaps(long.pieces)).toEqual([]);
  });

  test('success: by command', async () => {
    const run = (...args: string[]) =>
      cadastre(['statement', ...args], { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
    expect((await run('list', 'BETA')).stdout).toMatch(/BETA +2030-04 +100000\.00 +100000\.00 +0\.00/);
    const shown = JSON.parse((await run('show', 'ALPHA', '2030-01', '--json')).stdout);
    expect(shown).toMatchObject({ opening: '100000.00', closing: '99961.00', month: '2030-01' });
    expect(shown.lines[0]).toEqual({ entry: 'create', zone: 'com.ee', period: '1y', count: 1, sum: '-9.00' });
    const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-statement-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'statement.pdf');
    expect(await run('pdf', 'ALPHA', '2030-01', '--output', file)).toMatchObject({
      code: 0,
      stdout: `The statement is in ${file}.\n`,
    });
    expect(readFileSync(file, 'latin1')).toMatch(/^%PDF-1\.7/);
    expect(await run('show', 'ALPHA', '2029-13')).toMatchObject({
      code: 1,
      stderr: '2029-13 is no month; write it like 2026-10.\n',
    });
    const table = `${file}.csv`;
    expect(await run('csv', 'ALPHA', '2030-01', '--output', table)).toMatchObject({
      code: 0,
      stdout: `The statement is in ${table}.\n`,
    });
    expect(readFileSync(table, 'utf8')).toContain('ALPHA');
    expect(await run('pdf', 'ALPHA', 'soon')).toMatchObject({
      code: 1,
      stderr: 'soon is no month; write it like 2026-10.\n',
    });
    expect(await run('csv', 'NOBODY', '2030-01')).toMatchObject({
      code: 1,
      stderr: 'There is no statement of registrar NOBODY for 2030-01.\n',
    });
  });
});

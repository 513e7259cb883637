import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { importStatement } from '../../src/billing/bank/import-statement.ts';
import { openBank } from '../support/bank.ts';
import { Payer, Service } from '../support/billing.ts';
import { cadastre, databaseUrl, productionDatabase } from '../support/cadastre.ts';
import { camt } from '../support/camt.ts';
import { alpha } from '../support/client.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

let registry: TestRegistry;
let payer: Payer;
let bank: Awaited<ReturnType<typeof openBank>>;
beforeAll(async () => {
  registry = await startRegistry();
  payer = new Payer(registry.url);
  bank = await openBank(registry);
});
afterAll(async () => {
  await bank.close();
  await registry.stop();
});

const run = (...args: string[]) => runOn(databaseUrl(registry.databaseName), ...args);
const runOn = (url: string, ...args: string[]) => cadastre(args, { env: { DATABASE_URL: url } });
const REASON = ['--reason', 'it was asked for', '--reason-code', 'mistake', '--case', '7-1'];

/** Done by a command, after a dry run, which leaves nothing in history. */
const change = (...args: string[]) => changeOn(databaseUrl(registry.databaseName), ...args);
async function changeOn(url: string, ...args: string[]): Promise<void> {
  expect(await runOn(url, ...args, ...REASON, '--dry-run')).toMatchObject({ code: 0, stderr: '' });
  expect(await runOn(url, ...args, ...REASON)).toMatchObject({ code: 0, stderr: '' });
}

/** What `cadastre history` has of the changes above. */
const historyOf = (name: string) => historyOn(databaseUrl(registry.databaseName), name);
async function historyOn(url: string, name: string) {
  const { stdout } = await runOn(url, 'history', name, '--json');
  const rows: Record<string, unknown>[] = JSON.parse(stdout);
  return rows.map(({ operation, actor, registrar, reason, reasonCode, caseNumber, before, after }) => {
    expect([reason, reasonCode, caseNumber]).toEqual(['it was asked for', 'mistake', '7-1']);
    expect(actor).toMatch(/^operator:/);
    return { operation, registrar, before, after };
  });
}

async function topUp(): Promise<{ number: string; link: string }> {
  const { body } = await alpha(registry.url).post('/invoices/add_credit', { invoice: { amount: '10.00' } });
  return { number: String(body.data.invoice.invoice_number), link: body.data.invoice.payment_link };
}

describe('the history of what operators do with money', () => {
  test('success: an invoice of a registrar that is cancelled', async () => {
    const { number } = await topUp();
    await change('billing', 'cancel', number, '--yes');
    expect(await historyOf(number)).toEqual([
      {
        operation: 'cancel invoice',
        registrar: 'ALPHA',
        before: { status: 'unpaid' },
        after: { status: 'cancelled' },
      },
    ]);
  });

  test('success: a refund, and the payment that is polled', async () => {
    const { number, link } = await topUp();
    const reference = await payer.pay(link);
    await expect.poll(async () => (await payer.invoice(Number(number))).status).toBe('paid');
    await change('billing', 'refund', number, '--yes');
    expect(await historyOf(number)).toEqual([
      {
        operation: 'refund invoice',
        registrar: 'ALPHA',
        before: null,
        after: { amount: '12.40', payment: reference },
      },
    ]);
    await change('billing', 'fetch', reference);
    expect(await historyOf(reference)).toEqual([
      { operation: 'fetch payment', registrar: null, before: null, after: null },
    ]);
  });

  test('success: a held payment that is resolved', async () => {
    const { number, link } = await topUp();
    const reference = await payer.pay(link, 'settled', { amount: '25.00' });
    await expect.poll(async () => (await payer.invoice(Number(number))).held).toBe(true);
    const { id } = await registry.sql.one(sql<{ id: number }>`
      select id from held_payments where payment_reference = ${reference} and closed_at is null`);
    await change('billing', 'resolve', String(id), 'dismiss', '--yes');
    const after = { hold: id, kind: 'amount', resolution: 'dismiss', invoice: Number(number) };
    expect(await historyOf(reference)).toEqual([
      { operation: 'resolve held payment', registrar: null, before: null, after },
    ]);
  });

  test('success: exports by hand, of each invoice that is sent', async () => {
    const auction = new Service(registry.url);
    const numbers = [(await auction.invoice()).number, (await auction.invoice()).number].map(String);
    await change('billing', 'export', 'accounting', ...numbers);
    await run('billing', 'export', 'accounting', ...numbers);
    const sent = {
      operation: 'export invoice',
      registrar: null,
      before: null,
      after: { target: 'accounting' },
    };
    for (const number of numbers) expect(await historyOf(number)).toEqual([sent]);
    const [number = ''] = numbers;
    await change('billing', 'exported', 'einvoice', number);
    const recorded = { ...sent, operation: 'record export', after: { target: 'einvoice' } };
    expect(await historyOf(number)).toEqual([sent, recorded]);
  });

  test('success: bank lines that are set aside, reopened and assigned', async () => {
    const line = { amount: '24.80', text: 'tundmatu', reference: 'H-1' };
    expect(await importStatement(bank, camt([line]), new Date())).toMatchObject({ unmatched: 1 });
    const { id } = await registry.sql.one(sql<{ id: number }>`select id from bank_entries`);
    await change('bank', 'set-aside', String(id));
    await change('bank', 'reopen', String(id));
    await change('bank', 'assign', String(id), '--registrar', 'ALPHA', '--yes');
    const { invoice } = await registry.sql.one(sql<{ invoice: number }>`
      select invoice_number as invoice from bank_entries where id = ${id}`);
    expect(await historyOf(String(id))).toEqual([
      {
        operation: 'set bank entry aside',
        registrar: null,
        before: { status: 'unmatched' },
        after: { status: 'aside' },
      },
      {
        operation: 'reopen bank entry',
        registrar: null,
        before: { status: 'aside' },
        after: { status: 'unmatched' },
      },
      {
        operation: 'assign bank entry',
        registrar: null,
        before: { status: 'unmatched' },
        after: { status: 'booked', invoice },
      },
    ]);
  });
});

const alone = (operation: string, after: unknown = null, before: unknown = null) => ({
  operation,
  registrar: null,
  before,
  after,
});

describe('the history of what operators do with mails, messages, jobs and the installation', () => {
  test('success: mails that are tried again, once for each', async () => {
    const rows = await registry.sql.rows(sql<{ id: number }>`
      insert into mails (recipient, subject, text, html, created_at, next_attempt_at, try_until, gave_up_at)
      select 'x@example.ee', 's', 't', 'h', now(), now(), now(), now() from generate_series(1, 2) returning id`);
    const ids = rows.map(({ id }) => String(id));
    await change('mail', 'retry', ...ids);
    for (const id of ids) expect(await historyOf(id)).toContainEqual(alone('retry mail'));
    const partly = await run('mail', 'retry', ids[0] ?? '', '999999');
    expect(partly.stderr).toMatch(/There is no unsent mail with the id .*999999\.\n$/);
  });

  test('success: a message to a service that is tried again', async () => {
    const { id } = await registry.sql.one(sql<{ id: string }>`
      update deliveries set delivered_at = null, gave_up_at = now() where id = (select id from deliveries order by sequence_number limit 1) returning id`);
    await change('delivery', 'retry', id);
    expect(await historyOf(id)).toEqual([alone('retry delivery')]);
  });

  test('success: a job that is run, and one that is forgotten', async () => {
    await change('job', 'run', 'delete old idempotency keys');
    expect(await historyOf('delete old idempotency keys')).toEqual([alone('run job')]);
    await registry.sql.run(sql`insert into jobs (name, due_at, interval_ms) values ('of old', now(), 1000)`);
    await change('job', 'forget', 'of old');
    expect(await historyOf('of old')).toEqual([alone('forget job')]);
  });

  test('success: maintenance that begins and ends, and a statement that is imported', async () => {
    await change('maintenance', 'on');
    await change('maintenance', 'off');
    const before = { since: expect.any(String), reason: 'it was asked for' };
    expect(await historyOf('installation')).toEqual([
      alone('begin maintenance'),
      alone('end maintenance', null, before),
    ]);
    const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-history-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'november.xml');
    writeFileSync(file, camt([{ amount: '3.10', text: 'tundmatu', reference: 'H-2' }]));
    await change('bank', 'import', file);
    const counts = { booked: 0, unmatched: 1, aside: 0, known: 0, passedOver: 0, pending: 0 };
    expect(await historyOf('november.xml')).toEqual([alone('import bank statement', counts)]);
  });

  test('success: a leap of the time, a copy for tests; a sandbox is neither', async () => {
    const { url, sql: db } = await productionDatabase();
    await db.run(sql`
      insert into clock_readings (hour, leapt_from)
      values (date_trunc('hour', now()), date_trunc('hour', now() - interval '3 days'))`);
    await changeOn(url, 'clock', 'confirm', '--yes');
    await changeOn(url, 'staging', 'on', '--yes');
    await changeOn(url, 'staging', 'on');
    const leap = { from: expect.any(String), to: expect.any(String) };
    expect(await historyOn(url, 'installation')).toEqual([
      alone('confirm clock', leap),
      alone('mark staging copy', { copy: 'staging' }, { copy: null }),
      alone('mark staging copy', { copy: 'staging' }, { copy: 'staging' }),
    ]);
  });
});

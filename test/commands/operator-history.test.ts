import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importStatement } from '../../src/billing/bank/import-statement.ts';
import { openBank } from '../support/bank.ts';
import { Payer, Service } from '../support/billing.ts';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
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

const run = (...args: string[]) =>
  cadastre(args, { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
const REASON = ['--reason', 'it was asked for', '--reason-code', 'mistake', '--case', '7-1'];

/** Done by a command, after a dry run, which leaves nothing in history. */
async function change(...args: string[]): Promise<void> {
  expect(await run(...args, ...REASON, '--dry-run')).toMatchObject({ code: 0, stderr: '' });
  expect(await run(...args, ...REASON)).toMatchObject({ code: 0, stderr: '' });
}

/** What `cadastre history` has of the changes above. */
async function historyOf(name: string) {
  const { stdout } = await run('history', name, '--json');
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

import { afterAll, beforeAll, expect, test } from 'vitest';
import { bankSums } from '../../src/billing/bank/bank-view.ts';
import { type BankDependencies, importStatement } from '../../src/billing/bank/import-statement.ts';
import { exportedDocuments } from '../../src/billing/exports/export-view.ts';
import { refundInvoice } from '../../src/billing/payments/refund-invoice.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { carryOut } from '../../src/operations/operator-operation.ts';
import { toDecimal } from '../../src/platform/values/money.ts';
import { ALPHA_REFERENCE, openBank } from '../support/bank.ts';
import { call, Service } from '../support/billing.ts';
import { camt } from '../support/camt.ts';
import { alpha, type Client } from '../support/client.ts';
import { createContact } from '../support/contacts.ts';
import { DocumentReceivers } from '../support/documents.ts';
import { freshName, newDomain } from '../support/domains.ts';
import { operator } from '../support/operator.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

let registry: TestRegistry;
let bank: BankDependencies & { close(): Promise<void> };
let takers: DocumentReceivers;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  bank = await openBank(registry);
  takers = new DocumentReceivers(registry.url);
  client = alpha(registry.url);
});
afterAll(async () => {
  await bank.close();
  await registry.stop();
});

const MONTHS = 12;
const REFUNDED = 5;
const CHARGED_BACK = 8;
const now = async () => new Date((await call(`${registry.url}/sandbox/clock`, {})).body.now);

/** Tops up by invoice, alternately through the provider and by bank transfer; returns the payment of the provider, if any. */
async function payIn(month: number): Promise<{ number: number; reference: string | undefined }> {
  const amount = `${100 + month}.33`;
  const { invoice } = (await client.post('/invoices/add_credit', { invoice: { amount } })).body.data;
  const { invoice_number: number, total, payment_link: link } = invoice;
  if (month % 2 === 1) return { number, reference: await takers.pay(link) };
  const transfer = { amount: total, referenceNumber: ALPHA_REFERENCE, reference: `YEAR-${month}` };
  expect(await importStatement(bank, camt([transfer]), await now())).toMatchObject({ booked: 1 });
  return { number, reference: undefined };
}

async function spend(registrant: string, month: number): Promise<void> {
  const name = freshName();
  expect((await client.post('/domains', newDomain(registrant, { name }))).status).toBe(200);
  if (month % 3 !== 0) return;
  const { domain } = (await client.get(`/domains/${name}`)).body.data;
  const renews = { period: 1, period_unit: 'y', exp_date: String(domain.expire_time).slice(0, 10) };
  expect((await client.post(`/domains/${name}/renew`, { renews })).status).toBe(200);
}

const cents = async (query: PromiseLike<readonly { sum: string }[]>): Promise<bigint> =>
  BigInt((await query)[0]?.sum ?? '0');

test('success: a year of one registrar: accounting, e-invoices, bank and ledger agree to the cent', {
  timeout: 120_000,
}, async () => {
  const registrant = await createContact(client);
  const books = new Service(registry.url, 'registry');
  const paid: Awaited<ReturnType<typeof payIn>>[] = [];
  for (let month = 0; month < MONTHS; month++) {
    paid.push(await payIn(month));
    await spend(registrant, month);
    // The evening export runs meanwhile.
    await takers.advance('P1M');
    const number = paid.at(-1)?.number;
    const invoice = { number, buyer_name: 'Alpha Registrar', buyer_reg_no: '12345678' };
    expect((await books.post('/e_invoice/e_invoice', { invoice })).status).toBeLessThan(300);
  }
  const at = await now();
  const refunded = { number: paid[REFUNDED]?.number ?? 0 };
  await carryOut(registry.sql, refundInvoice, refunded, operator({ reason: { text: 'left' }, now: at }));
  await takers.move(paid[CHARGED_BACK - 1]?.reference ?? '', 'chargebacked', { standing_amount: '0.00' });
  await takers.advance('P1D');

  const documents = await exportedDocuments(registry.sql);
  const exported = (target: string) =>
    documents.filter((one) => one.target === target).reduce((sum, one) => sum + one.total, 0n);
  const { sql: db } = registry;
  const provider = {
    in: await cents(
      db.rows(sql<{ sum: string }>`select sum(initial_amount)::text as sum from provider_simulator.payments`),
    ),
    out: await cents(
      db.rows(
        sql<{
          sum: string;
        }>`select sum(initial_amount - standing_amount)::text as sum from provider_simulator.payments`,
      ),
    ),
  };
  const transfers = (await bankSums(db)).reduce((sum, { booked }) => sum + booked, 0n);
  const ledger = {
    in: await cents(
      db.rows(sql<{ sum: string }>`
      select sum(e.amount)::text as sum from ledger_entries e join ledger_accounts a on a.id = e.debit_account where a.kind = 'payments'`),
    ),
    out: await cents(
      db.rows(sql<{ sum: string }>`
      select sum(e.amount)::text as sum from ledger_entries e join ledger_accounts a on a.id = e.credit_account where a.kind = 'payments'`),
    ),
  };
  const sums = {
    accounting: exported('accounting'),
    einvoices: exported('einvoice'),
    bank: provider.in + transfers,
    ledger: ledger.in,
  };
  const totals = Object.entries(sums).map(([name, sum]) => `${name} ${toDecimal(sum)}`);
  const back = `taken back: bank ${toDecimal(provider.out)}, ledger ${toDecimal(ledger.out)}`;
  process.stderr.write(`a year: ${totals.join(', ')}; ${back}\n`);
  expect(sums.accounting).toBeGreaterThan(0n);
  expect(new Set(Object.values(sums)).size).toBe(1);
  expect(provider.out).toBeGreaterThan(0n);
  expect(ledger.out).toBe(provider.out);
  expect(await checkLedger(db)).toEqual([]);
});

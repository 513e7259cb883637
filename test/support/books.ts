import { expect } from 'vitest';
import { text } from '../../src/platform/sql/statement.ts';
import type { Payer, Service } from './billing.ts';
import type { TestRegistry } from './registry.ts';
import { sql } from './sql.ts';

const WHOLE = [
  'invoices',
  'invoice_numbers',
  'invoice_changes',
  'invoice_lines',
  'bulk_items',
  'reference_numbers',
  'payment_shares',
  'refunds',
  'held_payments',
  'ledger_entries',
  'ledger_accounts',
].map((table) => [table, 't::text'] as const);
/** When a provider was polled and a service informed is not part of the books. */
const PARTS = [
  ['payments', "concat_ws(',', reference, invoice_number, state, booked, surplus, reversed, link)"],
  // What a service is told of the answer of another follows by itself, whenever that comes.
  [
    'deliveries',
    "case when kind not in ('directo_response', 'e_invoice_response') then id::text || body end",
  ],
  ['invoice_exports', "concat_ws(',', id, invoice_number, target, details, delivery_id)"],
] as const;
const ALL = [...WHOLE, ...PARTS];
const BOOKS = ALL.map(([table, row]) => `select '${table}' as name, ${row} as row from ${table} t`).join(
  ' union all ',
);

/** Everything that billing has written down. */
export async function booksOf({ sql: db }: TestRegistry): Promise<Record<string, string[]>> {
  const books: Record<string, string[]> = Object.fromEntries(ALL.map(([table]) => [table, []]));
  for (const { name, row } of await db.rows(sql<{ name: string; row: string | null }>`${text(BOOKS)}`))
    if (row !== null) books[name]?.push(row);
  // Sorted here: sorts of the server take it ten times as long as the rows.
  for (const rows of Object.values(books)) rows.sort();
  return books;
}

/** Runs something that must leave every book as it was. */
export async function withoutTrace<T>(registry: TestRegistry, work: () => Promise<T>): Promise<T> {
  const before = await booksOf(registry);
  const result = await work();
  expect(await booksOf(registry)).toEqual(before);
  return result;
}

const STATUS_KINDS = ['invoice', 'deposit'];

/** The statuses reported to the service that issued an invoice, in the order in which it was written. */
export async function reportedStatuses(payer: Payer, number: number): Promise<string[]> {
  const deliveries = await payer.deliveries();
  return deliveries
    .filter(({ invoice_number, kind }) => invoice_number === number && STATUS_KINDS.includes(kind))
    .map(({ body }) => JSON.parse(body).status)
    .reverse();
}

/** What is posted for an invoice, net and VAT of it together; the registrar's part counts as well. */
export async function postedFor({ sql: db }: TestRegistry, number: number): Promise<number> {
  const [row] = await db.rows(sql<{ cents: number }>`
    select coalesce(sum(case when d.kind = 'payments' then e.amount else -e.amount end), 0)::int as cents
    from ledger_entries e join ledger_accounts d on d.id = e.debit_account where e.invoice_number = ${number}`);
  return row?.cents ?? -1;
}

/** What is posted for a payment, whatever it is for. */
export async function postedFrom({ sql: db }: TestRegistry, reference: string): Promise<number> {
  const [row] = await db.rows(sql<{ cents: number }>`
    select coalesce(sum(case when d.kind = 'payments' then e.amount else -e.amount end), 0)::int as cents
    from ledger_entries e join ledger_accounts d on d.id = e.debit_account where e.payment_reference = ${reference}`);
  return row?.cents ?? -1;
}

/** An invoice of the service in whichever status; how it came to it is as it would be. */
export async function invoiceIn(service: Service, payer: Payer, status: string): Promise<number> {
  const { number, link } = await service.invoice('124.00');
  const become = (to: string) =>
    service.post('/invoice_generator/invoice_status', { invoice_number: number, status: to });
  if (status === 'paid' || status === 'refunded') await payer.pay(link);
  else if (status !== 'unpaid') await become(status);
  if (status === 'refunded') {
    await payer.invoice(number);
    await become('refunded');
  }
  expect((await payer.invoice(number)).status).toBe(status);
  return number;
}

/** What meets another is tried again after a few seconds, and then ever later. */
const PAUSES = [1, 1, 2, 5, 5, 10, 20, 40, 80, 300];

/** Lets what the worker does come to pass until the expectation holds. */
export async function eventually(payer: Payer, check: () => Promise<void>): Promise<void> {
  for (const seconds of PAUSES) {
    await payer.advance(`PT${seconds}S`);
    const holds = await check().then(
      () => true,
      () => false,
    );
    if (holds) return;
  }
  await check();
}

import { inTransaction } from '../../operations/in-transaction.ts';
import { type Outcome, runOperation } from '../../operations/run-operation.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../billing-refusals.ts';
import type { Billing, Caller } from '../context.ts';
import { changeStatuses } from '../invoices/change-statuses.ts';
import { canBecome, type Invoice, isPayable } from '../invoices/invoice.ts';
import { findInvoice, heldAmong, lockInvoice } from '../invoices/invoice-store.ts';
import { type Oneoff, ProviderRefused } from '../provider/provider.ts';

export type OneoffInput = {
  readonly invoiceNumber: number;
  readonly customerUrl: string;
  readonly referenceNumber: string | null;
};

/** Where the payer is sent. */
export type StartedPayment = { readonly link: string };

/** POST oneoff: starts a new attempt to pay an invoice, with a link of its own. */
export function payOnce(
  billing: Billing,
  caller: Caller,
  input: OneoffInput,
): Promise<Outcome<StartedPayment>> {
  const { database } = billing;
  const prepare = async () => {
    requireAllowedReturn(billing, input.customerUrl);
    const invoice = await findInvoice(database.reads, input.invoiceNumber, caller.initiator);
    if (!invoice) return refuse('invoiceNotInternal', { number: input.invoiceNumber });
    requirePayable(invoice);
    if ((await heldAmong(database.reads, [invoice.number])).length > 0)
      refuse('invoiceHeld', { at: ['number'] });
    return { number: invoice.number, attempt: await beginAttempt(billing, invoice, input) };
  };
  return runOperation(database, recordingAttempt(prepare, input.customerUrl, caller), caller);
}

/** Records the attempt that the provider has started, even if the request is aborted meanwhile. */
export const recordingAttempt = (
  prepare: () => Promise<{ readonly number: number; readonly attempt: Oneoff }>,
  customerUrl: string,
  caller: Caller,
) =>
  inTransaction({
    prepare,
    ignoresDeadline: true,
    transact: (db, { number, attempt }) => storeAttempt(db, number, attempt, customerUrl, caller),
  });

/** Compares the whole origin: a hostname that only contains an allowed one belongs to somebody else. */
export function requireAllowedReturn({ isReturnAllowed }: Billing, customerUrl: string): void {
  if (!isReturnAllowed(customerUrl)) refuse('returnNotAllowed', { at: ['returnUrl'] });
}

export function requirePayable(invoice: Invoice): void {
  if (!isPayable(invoice)) refuse('invoiceNotPayable', { at: ['number'], status: invoice.status });
}

/** Creates a payment at the provider. No lock is held meanwhile. */
export async function beginAttempt(
  { provider }: Billing,
  { number, amount }: Pick<Invoice, 'number' | 'amount'>,
  {
    customerUrl,
    referenceNumber,
    orderReference = String(number),
  }: Omit<OneoffInput, 'invoiceNumber'> & {
    readonly orderReference?: string;
  },
): Promise<Oneoff> {
  try {
    return await provider.oneoff({ amount, orderReference, customerUrl, referenceNumber });
  } catch (error) {
    if (error instanceof ProviderRefused)
      refuse('paymentDeclined', { providerCode: error.code, message: error.message });
    throw error;
  }
}

/** Stores the attempt, whose callback may have arrived first. A new attempt reopens the invoice. */
async function storeAttempt(
  db: Sql,
  invoiceNumber: number,
  { reference, link, state }: Oneoff,
  customerUrl: string,
  { initiator, now }: Caller,
): Promise<StartedPayment> {
  const invoice = await lockInvoice(db, invoiceNumber);
  if (invoice && invoice.status !== 'unpaid' && canBecome(invoice.status, 'unpaid'))
    await changeStatuses(db, [{ invoice, to: 'unpaid' }], { actor: initiator, at: now });
  await db.run(sql`
    insert into payments (reference, invoice_number, state, link, customer_url, created_at)
    values (${reference}, ${invoiceNumber}, ${state}, ${link}, ${customerUrl}, ${now})
    on conflict (reference) do update set invoice_number = excluded.invoice_number, link = excluded.link, customer_url = excluded.customer_url,
      state = coalesce(payments.state, excluded.state), open = payments.open or payments.state = 'failed'`);
  return { link };
}

import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { dayIn } from '../../platform/values/dates.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import { refuse } from '../billing-refusals.ts';
import type { Caller } from '../context.ts';
import type { Initiator, InvoiceKind } from './invoice.ts';
import { insertInvoice, type NewInvoice } from './invoice-store.ts';
import { invoiceReferenceNumber } from './reference-numbers.ts';
import { splitGross, spreadEvenly } from './vat.ts';

type Issue = Pick<
  NewInvoice,
  'number' | 'description' | 'customField' | 'buyerName' | 'buyerEmail' | 'referenceNumber' | 'deposit'
> & {
  readonly kind: InvoiceKind;
  readonly amount: Cents;
  /** One line each; without any the description is the only line. */
  readonly lineTexts?: readonly string[];
};

/** Issues an invoice over a gross amount, in equal lines, unless the number is taken. */
export async function issueGross(
  db: Sql,
  policy: Policy,
  { initiator, now }: Caller,
  issue: Issue,
): Promise<void> {
  const isTaken = await db.maybe(sql`select from invoices where number = ${issue.number}`);
  if (isTaken) return;
  const { amount, lineTexts = [issue.description], ...invoice } = issue;
  const { vatPercent } = policy.billing;
  const { net, vat } = splitGross(amount, vatPercent);
  const nets = spreadEvenly(net, lineTexts.length);
  const referenceNumber = issue.referenceNumber ?? (await invoiceReferenceNumber(db, initiator, now));
  await insertInvoice(db, {
    ...invoice,
    referenceNumber,
    initiator,
    net,
    vat,
    vatPercent,
    currency: policy.currency,
    issuedAt: now,
    actor: initiator,
    dueDate: dueDate(policy, now),
    lines: lineTexts.map((description, index) => ({ description, quantity: 1, net: nets[index] ?? 0n })),
  });
}

export const dueDate = ({ timeZone, billing }: Policy, now: Date): string =>
  dayIn(timeZone, now).add({ days: billing.dueDays }).toString();

export type NumberRange = keyof Policy['billing']['numberRanges'];

/**
 * Assigns the lowest unused number of the range to the initiator. Concurrent callers wait until this transaction ends.
 */
export async function allocateNumber(
  db: Sql,
  range: NumberRange,
  initiator: Initiator,
  { policy, now }: { readonly policy: Policy; readonly now: Date },
): Promise<number> {
  const { first, last } = policy.billing.numberRanges[range];
  const row = await db.one(sql<{ number: number | null }>`
    select allocate_invoice_number(${range}, ${first}, ${last}, ${initiator}, ${now}) as number`);
  return row.number ?? refuse('noInvoiceNumber');
}

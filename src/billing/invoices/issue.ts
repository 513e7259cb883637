import type { Sql } from '../../platform/sql/executor.ts';
import { dayIn } from '../../platform/values/dates.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Caller } from '../context.ts';
import type { InvoiceKind } from './invoice.ts';
import { insertInvoice, type NewInvoice } from './store.ts';
import { splitGross } from './vat.ts';

type Issue = Pick<
  NewInvoice,
  'number' | 'description' | 'customField' | 'buyerName' | 'buyerEmail' | 'referenceNumber' | 'deposit'
> & { readonly kind: InvoiceKind; readonly amount: Cents };

/** An invoice over an amount with VAT and one line. False when there is one of that number already. */
export function issueGross(
  db: Sql,
  policy: Policy,
  { initiator, now }: Caller,
  issue: Issue,
): Promise<boolean> {
  const { amount, ...invoice } = issue;
  const { vatPercent } = policy.billing;
  const { net, vat } = splitGross(amount, vatPercent);
  return insertInvoice(db, {
    ...invoice,
    ...{ initiator, net, vat, vatPercent, currency: policy.currency, issuedAt: now, actor: initiator },
    dueDate: dueDate(policy, now),
    lines: [{ description: issue.description, quantity: 1, net }],
  });
}

export const dueDate = ({ timeZone, billing }: Policy, now: Date): string =>
  dayIn(timeZone, now).add({ days: billing.dueDays }).toString();

import type { OwnInvoiceQuery } from '../../../billing/invoices/find-own-invoices.ts';
import { type Status, statuses } from '../../../billing/invoices/invoice.ts';
import { readPosition } from '../../../platform/paging/position.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { PageInput } from '../console-page.ts';
import { type AskedRange, readRange } from './date-range.ts';

export type ReadInvoiceQuery = {
  readonly asked: AskedRange & { readonly status: string };
  /** Null where the text says nothing. */
  readonly status: Status | undefined | null;
  readonly from: Date | undefined | null;
  readonly before: Date | undefined | null;
  /** Undefined if any is wrong. */
  readonly query: OwnInvoiceQuery | undefined;
};

export function readInvoiceQuery(input: Pick<PageInput, 'query'>, policy: Policy): ReadInvoiceQuery {
  const { asked: range, from, before } = readRange(input, policy);
  const asked = { status: input.query('status'), ...range };
  const status = asked.status === '' ? undefined : (statuses.find((known) => known === asked.status) ?? null);
  const read = { asked, status, from, before };
  if (status === null || from === null || before === null) return { ...read, query: undefined };
  const after = readPosition(input.query('after'), 'number');
  return { ...read, query: { filter: { status, from, before }, after } };
}

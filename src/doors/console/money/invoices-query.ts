import type { OwnInvoiceQuery } from '../../../billing/invoices/find-own-invoices.ts';
import { type Status, statuses } from '../../../billing/invoices/invoice.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { Position } from '../../../registry/listing.ts';
import type { PageInput } from '../page.ts';
import { readPosition } from '../position.ts';
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
  const after = readPosition(input.query('after'), 'text')?.id;
  return { ...read, query: { filter: { status, from, before }, after } };
}

/** The number alone is the position; positions have a key besides. */
export const positionOf = (number: number): Position => ({ id: number, key: 'number' });

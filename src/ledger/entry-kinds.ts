import { type Fragment, sql } from '../platform/sql/statement.ts';

/** What entries on a registrar's account are called in lists and statements, in the order of a statement. */
export const entryKinds = [
  'opening',
  'create',
  'renew',
  'top-up',
  'refund',
  'correction',
  'debt incurred',
  'debt repayment',
  'other',
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** The kind of an operation of the ledger. */
export const kindOfOperation = (operation: Fragment): Fragment => sql`
  case when ${operation} in ('opening', 'create', 'renew', 'correction', 'debt incurred', 'debt repayment') then ${operation}
    when ${operation} in ('payment', 'top-up') then 'top-up' when ${operation} = 'reversal' then 'refund' else 'other' end`;

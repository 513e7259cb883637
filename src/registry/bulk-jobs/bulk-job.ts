import type { Pool } from '../../platform/sql/executor.ts';
import type { Cents } from '../../platform/values/money.ts';
import { changeListsOf, type NameserverListChange } from '../domains/bulk/change-nameserver-lists.ts';
import { type BulkHold, holdEach } from '../domains/bulk/hold-many.ts';
import { renewEach } from '../domains/bulk/renew-many.ts';
import { replaceTechOf, type TechReplacement } from '../domains/bulk/replace-tech.ts';
import type { RowResult } from '../domains/bulk/row-results.ts';
import type { Context } from '../operation.ts';
import { transferEach } from '../transfers/transfer-many.ts';

/** What the kinds of jobs are told besides their domains. */
export type BulkInputs = {
  readonly renew: { readonly months: number };
  readonly nameservers: NameserverListChange;
  readonly tech: TechReplacement;
  readonly hold: BulkHold;
  readonly transfer: Readonly<Record<string, never>>;
};
export type BulkKind = keyof BulkInputs;
export type BulkChange = {
  [Kind in BulkKind]: { readonly kind: Kind; readonly input: BulkInputs[Kind] };
}[BulkKind];

/** Domains of one job at most. */
export const MAX_BULK_ROWS = 10_000;

export type BulkRow = {
  readonly name: string;
  /** Of a transfer. */
  readonly code: string | null;
  /** The price that was agreed to. */
  readonly price: Cents | null;
};

/** Changes these domains in a transaction of the caller, each by itself; the results are in the order of the rows. */
export function changeRows(
  db: Pool,
  { kind, input }: BulkChange,
  rows: readonly BulkRow[],
  context: Context,
): Promise<RowResult[]> {
  const names = rows.map(({ name }) => name);
  switch (kind) {
    case 'renew': {
      const agreed = rows.map(({ name, price }) => ({ name, price: price ?? 0n }));
      return renewEach(db, agreed, input.months, context);
    }
    case 'nameservers':
      return changeListsOf(db, { ...input, names }, context);
    case 'tech':
      return replaceTechOf(db, names, input, context);
    case 'hold':
      return holdEach(db, names, input, context);
    case 'transfer': {
      const requests = rows.map(({ name, code }) => ({ name, transferCode: code ?? '' }));
      return transferEach(db, requests, context);
    }
  }
}

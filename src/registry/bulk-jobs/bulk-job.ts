import type { Pool } from '../../platform/sql/executor.ts';
import type { Cents } from '../../platform/values/money.ts';
import { changeContactsOf, type ContactListChange } from '../domains/bulk/change-contact-lists.ts';
import { changeKeysOf, type KeyListChange } from '../domains/bulk/change-key-lists.ts';
import { changeListsOf, type NameserverListChange } from '../domains/bulk/change-nameserver-lists.ts';
import { changeRegistrantsOf, type RegistrantChange } from '../domains/bulk/change-registrants.ts';
import { type BulkHold, holdEach } from '../domains/bulk/hold-many.ts';
import { renewEachFor } from '../domains/bulk/renew-many.ts';
import { replaceTechOf, type TechReplacement } from '../domains/bulk/replace-tech.ts';
import type { RowResult } from '../domains/bulk/row-results.ts';
import type { Context } from '../operation.ts';
import { transferEach } from '../transfers/transfer-many.ts';
import { type BulkUndo, undoEach } from './undo-bulk-job.ts';

/** What the kinds of jobs are told besides their domains. */
export type BulkInputs = {
  readonly renew: { readonly months: number };
  readonly nameservers: NameserverListChange;
  readonly contacts: ContactListChange;
  readonly tech: TechReplacement;
  readonly keys: KeyListChange;
  readonly registrant: RegistrantChange;
  readonly hold: BulkHold;
  readonly transfer: Readonly<Record<string, never>>;
  readonly undo: BulkUndo;
};
export type BulkKind = keyof BulkInputs;
/** As the schema lists them. */
export const bulkKinds: readonly BulkKind[] = [
  'renew',
  'nameservers',
  'contacts',
  'tech',
  'keys',
  'registrant',
  'hold',
  'transfer',
  'undo',
];
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
  /** Of a renewal, where it is not that of the job. */
  readonly months: number | null;
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
      const agreed = rows.map(({ name, price, months }) => ({
        name,
        price: price ?? 0n,
        months: months ?? input.months,
      }));
      return renewEachFor(db, agreed, context);
    }
    case 'nameservers':
      return changeListsOf(db, { ...input, names }, context);
    case 'contacts':
      return changeContactsOf(db, names, input, context);
    case 'keys':
      return changeKeysOf(db, names, input, context);
    case 'registrant':
      return changeRegistrantsOf(db, names, input, context);
    case 'undo':
      return undoEach(db, names, input, context);
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

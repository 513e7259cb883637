import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { BankStatus } from './store.ts';

export type ListedEntry = {
  readonly id: number;
  readonly bookedOn: string;
  readonly account: string;
  readonly direction: 'credit' | 'debit';
  /** In cents. */
  readonly amount: string;
  readonly currency: string;
  readonly status: BankStatus;
  readonly why: string;
  readonly referenceNumber: string | null;
  readonly partyName: string | null;
  readonly partyAccount: string | null;
  readonly endToEndId: string | null;
  readonly description: string;
  readonly invoiceNumber: number | null;
};
export type ShownEntry = ListedEntry & {
  readonly entryReference: string | null;
  readonly source: string;
  readonly importedAt: Date;
  readonly changes: readonly {
    readonly at: string;
    readonly to: BankStatus;
    readonly actor: string;
    readonly reason: string | null;
  }[];
};

const columns = () =>
  sql`
  id, booked_on::text as "bookedOn", account, direction, amount::text as amount, currency, status, why, reference_number as "referenceNumber",
  party_name as "partyName", party_account as "partyAccount", end_to_end_id as "endToEndId", description, invoice_number as "invoiceNumber"`;

/** What a person has to look at, the oldest first. */
export const listUnmatched = (db: Sql, most: number): PromiseLike<ListedEntry[]> =>
  db.rows(sql<ListedEntry>`
    select ${columns()} from bank_entries where status = 'unmatched' order by id limit ${most}`);

export async function showEntry(db: Sql, id: number): Promise<ShownEntry | undefined> {
  return db.maybe(sql<ShownEntry>`
    select ${columns()}, entry_reference as "entryReference", source, imported_at as "importedAt",
      (select json_agg(json_build_object('at', c.at, 'to', c.to_status, 'actor', c.actor, 'reason', c.reason) order by c.id)
        from bank_entry_changes c where c.entry_id = bank_entries.id) as changes
    from bank_entries where id = ${id}`);
}

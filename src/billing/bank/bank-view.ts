import type { DatabaseMetric } from '../../platform/database-metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { BankStatus } from './bank-entry-store.ts';

export type ListedEntry = {
  readonly id: number;
  readonly bookedOn: string;
  readonly account: string;
  readonly direction: 'credit' | 'debit';
  /** In cents. */
  readonly amount: string;
  readonly currency: string;
  readonly status: BankStatus;
  readonly unmatchedReason: string;
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
  id, booked_on::text as "bookedOn", account, direction, amount::text as amount, currency, status, unmatched_reason as "unmatchedReason", reference_number as "referenceNumber",
  party_name as "partyName", party_account as "partyAccount", end_to_end_id as "endToEndId", description, invoice_number as "invoiceNumber"`;

/** Lines that need an operator, oldest first. */
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

/** Sums of one account's entries by status. */
export type BankSums = {
  readonly account: string;
  readonly currency: string;
  /** Payments that paid invoices. */
  readonly booked: Cents;
  /** Returns booked against invoices. */
  readonly returned: Cents;
  /** Unmatched payments less unmatched returns. */
  readonly unmatched: Cents;
  readonly aside: Cents;
};
type Row = { readonly [Name in keyof BankSums]: string };

export async function bankSums(db: Sql): Promise<BankSums[]> {
  const rows = await db.rows(sql<Row>`
    select account, currency,
      coalesce(sum(amount) filter (where status = 'booked' and direction = 'credit'), 0)::text as booked,
      coalesce(sum(amount) filter (where status = 'booked' and direction = 'debit'), 0)::text as returned,
      coalesce(sum(case direction when 'credit' then amount else -amount end) filter (where status = 'unmatched'), 0)::text as unmatched,
      coalesce(sum(case direction when 'credit' then amount else -amount end) filter (where status = 'aside'), 0)::text as aside
    from bank_entries group by account, currency order by account, currency`);
  return rows.map((row) => ({
    ...row,
    booked: BigInt(row.booked),
    returned: BigInt(row.returned),
    unmatched: BigInt(row.unmatched),
    aside: BigInt(row.aside),
  }));
}

export const bankMetrics: readonly DatabaseMetric[] = [
  {
    name: 'cadastre_bank_entries_waiting',
    help: 'Payments of the bank that a person has to assign or set aside',
    query: sql`select count(*) as value from bank_entries where status = 'unmatched'`,
  },
];

import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { BankLine } from './bank-line.ts';
import type { UnmatchedReason } from './match-rules.ts';

export type BankStatus = 'unmatched' | 'booked' | 'aside';
/** The status a line changes to, and the actor. */
export type StatusChange = {
  readonly from: BankStatus | null;
  readonly to: BankStatus;
  readonly unmatchedReason?: UnmatchedReason | undefined;
  readonly invoiceNumber?: number | undefined;
  readonly paymentReference?: string | undefined;
  readonly actor: string;
  readonly now: Date;
  readonly reason?: string | undefined;
};

/** Stores a line as unmatched until a rule or an operator changes its status. */
export async function storeEntry(
  db: Sql,
  line: BankLine,
  keys: readonly string[],
  { source, now }: { readonly source: string; readonly now: Date },
): Promise<number> {
  const { account, direction, isReturn, amount, currency, bookedOn, share } = line;
  const row = await db.one(sql<{ id: number }>`
    with kept as (
      insert into bank_entries (account, entry_reference, batch_booking, direction, is_return, amount, currency, booked_on, reference_number, description,
        end_to_end_id, party_name, party_account, source, imported_at, status, unmatched_reason)
      values (${account}, ${line.entryReference}, ${share === 'batch'}, ${direction}, ${isReturn}, ${amount.toString()}, ${currency}, ${bookedOn},
        ${line.referenceNumber}, ${line.description}, ${line.endToEndId}, ${line.partyName}, ${line.partyAccount}, ${source}, ${now}, 'unmatched', '')
      returning id),
    keyed as (
      insert into bank_entry_keys (account, key, entry_id) select ${account}, key, kept.id from kept cross join unnest(${[...keys]}::text[]) as k(key))
    select id from kept`);
  return row.id;
}

/** False when the entry no longer has the expected status. */
export async function setEntryStatus(db: Sql, id: number, change: StatusChange): Promise<boolean> {
  const { from, to, unmatchedReason, invoiceNumber, paymentReference, actor, now, reason } = change;
  const rows = await db.rows(sql`
    with changed as (
      update bank_entries set status = ${to}, unmatched_reason = ${unmatchedReason ?? ''}, invoice_number = ${invoiceNumber ?? null}, payment_reference = ${paymentReference ?? null}
      where id = ${id} and status = ${from ?? 'unmatched'} returning id)
    insert into bank_entry_changes (entry_id, from_status, to_status, invoice_number, at, actor, reason)
    select id, ${from}, ${to}, ${invoiceNumber ?? null}, ${now}, ${actor}, ${reason ?? null} from changed returning 1`);
  return rows.length === 1;
}

/** A stored entry that has one of these keys. */
export type KnownEntry = Pick<BankLine, 'direction' | 'currency'> & {
  readonly key: string;
  readonly amount: string;
};

export const findKnown = (
  db: Sql,
  keys: readonly { readonly account: string; readonly key: string }[],
): PromiseLike<(KnownEntry & { readonly account: string })[]> =>
  db.rows(sql<KnownEntry & { account: string }>`
    select k.account, k.key, e.direction, e.currency, e.amount::text as amount
    from unnest(${keys.map(({ account }) => account)}::text[], ${keys.map(({ key }) => key)}::text[]) as wanted(account, key)
    join bank_entry_keys k on k.account = wanted.account and k.key = wanted.key
    join bank_entries e on e.id = k.entry_id`);

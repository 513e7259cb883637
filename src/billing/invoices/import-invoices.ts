import { inTransaction } from '../../operations/in-transaction.ts';
import { type Outcome, runOperation } from '../../operations/run-operation.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { textOfDay } from '../../platform/values/dates.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Billing, Caller } from '../context.ts';
import { type ImportEntry, type Numbered, sortEntries } from './import-entries.ts';
import type { Status } from './invoice.ts';
import { lineTexts } from './line-texts.ts';
import { type ImportedReference, importReferences } from './reference-numbers.ts';
import { splitGross } from './vat.ts';

export type ImportedInvoice = {
  readonly number: number;
  readonly amount: Cents;
  readonly status: Status;
  readonly transactionTime: Date | null;
  /** The older system already sent it to the accounting service. */
  readonly inAccounting: boolean;
  readonly eInvoiceSentAt: Date | null;
};

/** The planner has no row estimate for the join of given and just written rows; small batches keep it fast. */
const BATCH = 1_000;
const KNOWN = 'the number is known already';

/** POST import_data/invoice_data: imports invoices of an older system without their effects. */
export function importInvoices(
  { database, policy }: Billing,
  caller: Caller,
  entries: readonly ImportEntry<ImportedInvoice>[],
): Promise<Outcome<Imported>> {
  const add = async (db: Sql, invoices: readonly ImportedInvoice[]): Promise<number[]> => {
    const { vatPercent } = policy.billing;
    const rowOf = (invoice: ImportedInvoice): Row => ({
      ...invoice,
      ...splitGross(invoice.amount, vatPercent),
      issuedAt: invoice.transactionTime ?? caller.now,
    });
    const added: number[] = [];
    for (let first = 0; first < invoices.length; first += BATCH) {
      const rows = invoices.slice(first, first + BATCH).map(rowOf);
      added.push(...(await insertImported(db, caller, rows, { vatPercent, ...policy })));
    }
    return added;
  };
  return importEntries(database, caller, entries, add);
}

/** POST import_data/reference_data. */
export const importReferenceNumbers = (
  { database }: Billing,
  caller: Caller,
  entries: readonly ImportEntry<ImportedReference>[],
): Promise<Outcome<Imported>> =>
  importEntries(database, caller, entries, (db, references) =>
    importReferences(db, caller.initiator, references, caller.now),
  );

export type Imported = {
  readonly added: number;
  /** Entries that are known already or cannot be read, with their numbers as given. */
  readonly skipped: readonly { readonly entry: number; readonly given: unknown; readonly reason: string }[];
};
/** Adds what is not known yet, and returns its numbers. */
type Add<T> = (db: Sql, values: readonly T[]) => Promise<readonly (number | string)[]>;

function importEntries<T extends Numbered>(
  database: Billing['database'],
  caller: Caller,
  entries: readonly ImportEntry<T>[],
  add: Add<T>,
): Promise<Outcome<Imported>> {
  return runOperation(
    database,
    inTransaction({
      transact: async (db) => {
        const { values, skipped: unfit } = sortEntries(entries);
        const added = new Set<number | string>(
          await add(
            db,
            values.map(({ value }) => value),
          ),
        );
        const known = values.filter(({ value }) => !added.has(value.number));
        const skipped = [...unfit, ...known.map(({ entry, given }) => ({ entry, given, reason: KNOWN }))];
        skipped.sort((one, other) => one.entry - other.entry);
        return { added: added.size, skipped };
      },
    }),
    caller,
  );
}

type Row = ImportedInvoice & { readonly net: Cents; readonly vat: Cents; readonly issuedAt: Date };

/** Also binds the number to the caller; numbers that are already bound are skipped. Returns the added ones. */
async function insertImported(
  db: Sql,
  { initiator, now }: Caller,
  rows: readonly Row[],
  { vatPercent, currency, timeZone }: { vatPercent: number; currency: string; timeZone: string },
): Promise<number[]> {
  const added = await db.rows(sql<{ number: number }>`
    with given as (
      select * from unnest(${rows.map(({ number }) => number)}::bigint[], ${rows.map(({ status }) => status)}::text[], ${rows.map(({ net }) => net.toString())}::bigint[],
        ${rows.map(({ vat }) => vat.toString())}::bigint[], ${rows.map(({ issuedAt }) => issuedAt.toISOString())}::timestamptz[], ${rows.map(({ issuedAt }) => textOfDay(timeZone, issuedAt))}::date[],
        ${rows.map(({ inAccounting }) => (inAccounting ? 'yes' : 'no'))}::text[], ${rows.map(({ eInvoiceSentAt }) => eInvoiceSentAt?.toISOString() ?? null)}::timestamptz[])
        as g(number, status, net, vat, issued_at, due_date, in_accounting, e_invoice_sent_at)),
    bound as (
      insert into invoice_numbers (number, initiator, allocated_at) select number, ${initiator}, ${now} from given order by number
      on conflict (number) do nothing returning number),
    added as (
      insert into invoices (number, initiator, kind, status, currency, amount, net, vat, vat_percent, description, imported, issued_at, due_date, paid_at)
      select number, ${initiator}, 'invoice', status, ${currency}, net + vat, net, vat, ${vatPercent}, 'prepended', true, issued_at, due_date,
        case when status in ('paid', 'refunded') then issued_at end
      from given join bound using (number) returning number, status, net, description),
    documents as (
      insert into invoice_exports (invoice_number, target, state, details, requested_at, actor, answered_at, reason)
      select number, d.target, 'accepted', '{}', d.at, ${initiator}, d.at, 'imported' from added join given using (number)
      cross join lateral (values ('accounting', case when in_accounting = 'yes' then ${now}::timestamptz end), ('einvoice', e_invoice_sent_at)) as d(target, at)
      where d.at is not null),
    lines as (insert into invoice_lines (invoice_number, position, description, quantity, net) select number, 1, ${lineTexts.imported}, 1, net from added)
    insert into invoice_changes (invoice_number, to_status, at, actor, reason) select number, status, ${now}, ${initiator}, 'imported' from added
    returning invoice_number as number`);
  return added.map(({ number }) => number);
}

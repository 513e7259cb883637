import { type EntryKind, kindOfOperation } from '../../ledger/entry-kinds.ts';
import {
  type FoundPage,
  type FoundPageWithTotal,
  findPage,
  findPageWithTotal,
  type KeysetSearch,
} from '../../platform/paging/keyset-search.ts';
import type { Position } from '../../platform/paging/position.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';

/** Absent filters match everything. */
export type TransactionFilter = {
  readonly kind?: EntryKind | undefined;
  readonly from?: Date | undefined;
  readonly before?: Date | undefined;
};
export type TransactionQuery = { readonly filter: TransactionFilter; readonly after?: Position | undefined };

/** An entry on the registrar's account; amounts are cents as text. */
export type Transaction = {
  readonly at: Date;
  readonly kind: EntryKind;
  readonly description: string;
  /** Positive in favour of the registrar. */
  readonly sum: string;
  readonly balance: string;
  readonly invoiceNumber: number | null;
};

const COLUMNS = { at: { column: sql`o.at`, type: 'time' } } as const;

const shownTo = ({ registrarId }: RegistrarScope) => sql<Transaction>`
  o.at, ${kindOfOperation(sql`o.operation`)} as kind, o.description, o.balance_after::text as balance, o.invoice_number as "invoiceNumber",
  (case when o.credit_account = (select a.id from ledger_accounts a where a.registrar_id = ${registrarId} and a.kind = 'registrar')
    then o.amount else -o.amount end)::text as sum`;

/** One page of a registrar's transactions, newest first; the first with the number of all that match. */
export const findTransactions = (
  db: Sql,
  query: TransactionQuery,
  size: number,
  scope: RegistrarScope,
): Promise<FoundPageWithTotal<Transaction>> =>
  findPageWithTotal(db, searchOf(query, scope), shownTo(scope), size);

/** The same without the number. */
export const exportTransactions = (
  db: Sql,
  query: TransactionQuery,
  size: number,
  scope: RegistrarScope,
): Promise<FoundPage<Transaction>> => findPage(db, searchOf(query, scope), shownTo(scope), size);

function searchOf({ filter, after }: TransactionQuery, { registrarId }: RegistrarScope): KeysetSearch<'at'> {
  const { kind, from = null, before = null } = filter;
  return {
    table: sql`ledger_entries`,
    registrarId,
    sort: '-at',
    columns: COLUMNS,
    after,
    range: sql`o.at >= coalesce(${from}::timestamptz, '-infinity') and o.at < coalesce(${before}::timestamptz, 'infinity')`,
    entryColumns: sql`o.registrar_id`,
    entryTest: () => sql`true`,
    candidates: undefined,
    rowTest: kind === undefined ? undefined : sql`${kindOfOperation(sql`o.operation`)} = ${kind}`,
  };
}

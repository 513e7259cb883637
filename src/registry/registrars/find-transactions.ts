import { CHARGED_MONTHS, chargedHistory } from '../../ledger/charged-history.ts';
import { type EntryKind, kindOfOperation } from '../../ledger/entry-kinds.ts';
import {
  type FoundPage,
  type FoundPageWithTotal,
  findPage,
  findPageWithTotal,
  type KeysetSearch,
} from '../../platform/paging/keyset-search.ts';
import type { Position } from '../../platform/paging/position.ts';
import type { TextPattern } from '../../platform/paging/text-pattern.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { existsByKey } from '../../platform/sql/batched-lookup.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { RegistrarScope } from '../actor.ts';

/** Absent filters match everything. */
export type TransactionFilter = {
  readonly kind?: EntryKind | undefined;
  readonly from?: Date | undefined;
  readonly before?: Date | undefined;
  /** A domain's name or another description, or the number of an invoice. */
  readonly about?: TextPattern | undefined;
  /** Whether it is also the code, the identification or the name of a registrant. */
  readonly amongCustomers?: boolean | undefined;
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
  /** Of the registrar's own; null if the registry made it. */
  readonly actor: string | null;
  readonly requestId: string | null;
  /** What was registered or renewed. */
  readonly charged: {
    readonly domain: string;
    readonly months: number;
    /** Who held the domain then. */
    readonly registrant: string;
    /** Null if the contact is not there any more. */
    readonly registrantName: string | null;
  } | null;
};

const COLUMNS = { at: { column: sql`o.at`, type: 'time' } } as const;

const shownTo = ({ registrarId }: RegistrarScope, { timeZone }: Policy) => sql<Transaction>`
  o.at, ${kindOfOperation(sql`o.operation`)} as kind, o.description, o.balance_after::text as balance, o.invoice_number as "invoiceNumber",
  (case when o.credit_account = (select a.id from ledger_accounts a where a.registrar_id = ${registrarId} and a.kind = 'registrar')
    then o.amount else -o.amount end)::text as sum,
  case when o.actor ~ '^(user|person|epp):' then o.actor end as actor,
  case when o.actor ~ '^(user|person|epp):' then o.request_id end as "requestId",
  (select json_build_object('domain', h.object_name, 'months', ${CHARGED_MONTHS}, 'registrant', h.registrant,
      'registrantName', (select c.name from contacts c where c.code_key = lower(h.registrant) and c.registrar_id = ${registrarId}))
    from (select o.*) as e ${chargedHistory(timeZone)} where h.object_name is not null) as charged`;

/** One page of a registrar's transactions, newest first; the first with the number of all that match. */
export const findTransactions = async (
  db: Sql,
  query: TransactionQuery,
  size: number,
  scope: RegistrarScope,
  policy: Policy,
): Promise<FoundPageWithTotal<Transaction>> =>
  findPageWithTotal(db, searchOf(query, scope), shownTo(scope, policy), size);

/** The same without the number. */
export const exportTransactions = async (
  db: Sql,
  query: TransactionQuery,
  size: number,
  scope: RegistrarScope,
  policy: Policy,
): Promise<FoundPage<Transaction>> => findPage(db, searchOf(query, scope), shownTo(scope, policy), size);

function searchOf({ filter, after }: TransactionQuery, { registrarId }: RegistrarScope): KeysetSearch<'at'> {
  const { kind = null, from = null, before = null, amongCustomers = false } = filter;
  const about = filter.about?.like ?? null;
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
    // Always the same text: each combination would be a statement to prepare.
    rowTest:
      kind === null && about === null
        ? undefined
        : sql`(${kind}::text is null or ${kindOfOperation(sql`o.operation`)} = ${kind}::text)
          and (${about}::text is null or lower(o.description) like ${about}::text or o.invoice_number::text like ${about}::text
            or ${amongCustomers} and ${isOfCustomer(registrarId, about)})`,
  };
}

/** What was charged for a domain of such a registrant. */
const isOfCustomer = (registrarId: number, about: string | null): Fragment =>
  existsByKey(sql`
    select true from history h left join contacts c on c.code_key = lower(h.after ->> 'registrant') and c.registrar_id = ${registrarId}
    where h.id = o.history_id and (lower(h.after ->> 'registrant') like ${about}::text or c.name_key like ${about}::text or lower(c.ident) like ${about}::text)`);

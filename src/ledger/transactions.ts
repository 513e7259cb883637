import type { Sql } from '../platform/sql/executor.ts';
import { type Fragment, isoTime, sql, text } from '../platform/sql/statement.ts';
import type { Policy } from '../policy/policy.ts';
import { CHARGED_MONTHS, chargedHistory } from './charged-history.ts';
import { kindOfOperation } from './entry-kinds.ts';

export type AccountState = { readonly balance: string; readonly debt: string; readonly currency: string };
export type DateRange = { readonly from: string | undefined; readonly until: string | undefined };

/** An entry `e` of the account `a` of a registrar. */
export const ENTRY = {
  at: isoTime(sql`e.at`),
  description: sql`e.description`,
  direction: sql`case when e.credit_account = a.id then 'credit' else 'debit' end`,
  /** Negative where the registrar was charged. */
  amount: sql`to_char((case when e.credit_account = a.id then e.amount else -e.amount end) / 100.0, 'FM9999999999990.00')`,
  balance: sql`to_char(e.balance_after / 100.0, 'FM9999999999990.00')`,
  currency: sql`a.currency`,
  /** The user of the registrar that caused it: who of the registry made an entry is not told. */
  user: sql`substring(e.actor from '^(?:user|person|epp):(.*)$')`,
  id: sql`e.id`,
  operation: kindOfOperation(sql`e.operation`),
  /** Of a registration or renewal. */
  domain: sql`h.object_name`,
  period: sql`case when ${CHARGED_MONTHS} % 12 = 0 then ${CHARGED_MONTHS} / 12 else ${CHARGED_MONTHS} end`,
  periodUnit: sql`case when ${CHARGED_MONTHS} % 12 = 0 then 'y' when ${CHARGED_MONTHS} is not null then 'm' end`,
  invoiceNumber: sql`e.invoice_number`,
  /** Of the registrar's own request. */
  requestId: sql`case when e.actor ~ '^(user|person|epp):' then e.request_id end`,
  idempotencyKey: sql`h.idempotency_key`,
};

const PAGE = 500;

/** Balance and debt in cents as text. */
export async function accountState(db: Sql, registrarId: number): Promise<AccountState> {
  return db.one(sql<AccountState>`
    select (max(balance) filter (where kind = 'registrar'))::text as balance, (max(balance) filter (where kind = 'debt'))::text as debt, max(currency) as currency
    from ledger_accounts where registrar_id = ${registrarId}`);
}

type Entry = { readonly id: number; readonly at: Date; readonly entry: string };

/** A registrar's transactions, newest first, each as the text of `item`. Each page is a separate query, so that a slow client holds no connection. */
export async function* transactions(
  db: Sql,
  registrarId: number,
  between: DateRange,
  policy: Policy,
  item: Fragment,
): AsyncGenerator<string[]> {
  let last: Entry | undefined;
  do {
    const page: readonly Entry[] = await transactionsBefore(db, registrarId, between, { policy, item }, last);
    yield page.map(({ entry }) => entry);
    last = page.length === PAGE ? page.at(-1) : undefined;
  } while (last);
}

function transactionsBefore(
  db: Sql,
  registrarId: number,
  { from, until }: DateRange,
  { policy: { timeZone }, item }: { readonly policy: Policy; readonly item: Fragment },
  last: Entry | undefined,
): Promise<Entry[]> {
  return db.rows(sql<Entry>`
    select e.id, e.at, ${item} as entry
    from ledger_entries e join ledger_accounts a on a.registrar_id = ${registrarId} and a.kind = 'registrar'
    ${chargedHistory(timeZone)}
    where e.registrar_id = ${registrarId}
      ${from === undefined ? sql`` : sql`and e.at >= (${from}::date)::timestamp at time zone ${timeZone}`}
      ${until === undefined ? sql`` : sql`and e.at < (${until}::date)::timestamp at time zone ${timeZone}`}
      ${last ? sql`and (e.at, e.id) < (${last.at}, ${last.id})` : sql``}
    order by e.at desc, e.id desc ${ONE_PAGE}`);
}

// A literal, not a parameter: the generic plan would not know that the limit is small.
const ONE_PAGE = text(`limit ${PAGE}`);

import { MAX_COUNTED } from '../../platform/paging/keyset-search.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql, text } from '../../platform/sql/statement.ts';
import { textOfDay } from '../../platform/values/dates.ts';
import type { RegistrarScope } from '../actor.ts';
import type { DomainStatus } from '../domains/rules/domain-statuses.ts';
import type { Context } from '../operation.ts';
import type { MessageScope } from '../poll/find-messages.ts';
import type { MessageType } from '../poll/send-messages.ts';
import { priceOf } from '../prices/prices.ts';

/** What a domain can need, by its status; and that it expires soon. */
const STATUS_NEEDS = [
  'serverHold',
  'expired',
  'serverForceDelete',
  'pendingDelete',
  'pendingUpdate',
  'pendingDeleteConfirmation',
  'clientHold',
] as const satisfies readonly DomainStatus[];
export type DomainNeed = (typeof STATUS_NEEDS)[number] | 'expiring';

export type NeedyDomains = {
  /** Stops at MAX_COUNTED + 1. */
  readonly count: number;
  /** A few of them. */
  readonly names: readonly string[];
  /** What all of them cost to renew for a year, in cents; null if that is unknown, or they are too many to be priced. */
  readonly renewal: string | null;
};
export type DomainsInNeed = Readonly<Record<DomainNeed, NeedyDomains>>;

const NAMED = text('limit 3');
const MAX_PRICED = 1_000;
const PRICED = text(`limit ${MAX_PRICED + 1}`);
const BOUND = text(`limit ${MAX_COUNTED + 1}`);

type Moment = Pick<Context, 'now' | 'policy'>;

/** Domains whose status asks for something, or that expire between two times. */
export async function readDomainsInNeed(
  db: Sql,
  { registrarId }: RegistrarScope,
  { from, until }: { readonly from: Date; readonly until: Date },
  moment: Moment,
): Promise<DomainsInNeed> {
  const having = sql`from domain_statuses where registrar_id = ${registrarId} and status = n.need`;
  const soon = sql`from domains where registrar_id = ${registrarId} and expire_time >= ${from} and expire_time < ${until}`;
  const rows = await db.rows(sql<NeedyDomains & { readonly need: DomainNeed }>`
    select n.need, (select count(*) from (select ${having} ${BOUND}) as counted) as count,
      array(select d.name from (select domain_id ${having} order by domain_id ${NAMED}) as f join domains d on d.id = f.domain_id order by d.name) as names,
      case when n.need = 'expired' then ${renewalOf(sql`select d.zone from (select domain_id ${having} ${PRICED}) as f join domains d on d.id = f.domain_id`, moment)} end as renewal
    from unnest(${STATUS_NEEDS}::text[]) as n(need)
    union all
    select 'expiring', (select count(*) from (select ${soon} ${BOUND}) as counted),
      array(select name ${soon} order by expire_time, id ${NAMED}), ${renewalOf(sql`select zone ${soon} ${PRICED}`, moment)}`);
  return Object.fromEntries(rows.map(({ need, ...domains }) => [need, domains])) as DomainsInNeed;
}

/** The price of a year for each domain of a query of zones. */
const renewalOf = (zones: Fragment, { now, policy }: Moment): Fragment => sql`(
  select case when sum(z.count) <= ${MAX_PRICED} and bool_and(z.price is not null) then sum(z.count * z.price::bigint)::text end
  from (select zone, count(*) as count, ${priceOf(sql`of.zone`, 'renew', 12, textOfDay(policy.timeZone, now))} as price
    from (${zones}) as of group by zone) as z)`;

export type UnreadMessages = {
  readonly count: number;
  readonly newest: { readonly type: MessageType; readonly text: string } | null;
};

const unread = ({ registrarId, hidden }: MessageScope): Fragment => sql`
  poll_messages m where m.registrar_id = ${registrarId} and m.read_at is null and m.type <> all(${hidden}::text[])`;
const unreadCount = (scope: MessageScope): Fragment => sql`
  (select count(*) from (select from ${unread(scope)} ${BOUND}) as counted)`;

export const readUnreadMessages = (db: Sql, scope: MessageScope): Promise<UnreadMessages> =>
  db.one(sql<UnreadMessages>`
    select ${unreadCount(scope)} as count,
      (select json_build_object('type', m.type, 'text', m.text) from ${unread(scope)} order by m.created_at desc, m.id desc limit 1) as newest`);

/** Of the messages that a person may see; stops at MAX_COUNTED + 1. */
export async function countUnreadMessages(db: Sql, scope: MessageScope): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`select ${unreadCount(scope)} as count`);
  return count;
}

/** Amounts are cents as text. */
export type Balance = {
  readonly balance: string;
  readonly debt: string | null;
  readonly currency: string;
  /** The balance below which the registrar wants to be warned; null if it does not. */
  readonly threshold: string | null;
};

export function readBalance(db: Sql, { registrarId }: RegistrarScope): Promise<Balance> {
  return db.one(sql<Balance>`
    select a.balance::text as balance, a.currency, r.low_balance::text as threshold,
      (select d.balance::text from ledger_accounts d where d.registrar_id = r.id and d.kind = 'debt') as debt
    from registrars r join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar' where r.id = ${registrarId}`);
}

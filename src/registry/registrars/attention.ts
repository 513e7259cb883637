import { MAX_COUNTED } from '../../platform/paging/keyset-search.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql, text } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import type { DomainStatus } from '../domains/rules/domain-statuses.ts';
import type { MessageScope } from '../poll/find-messages.ts';

/** Domains whose status asks for something, or that expire soon. Every number stops at MAX_COUNTED + 1. */
export type DomainsInNeed = {
  readonly expiring: number;
  readonly pendingUpdate: number;
  readonly pendingDeleteConfirmation: number;
  readonly serverForceDelete: number;
  readonly serverHold: number;
  readonly clientHold: number;
  readonly pendingDelete: number;
};

const BOUND = text(`limit ${MAX_COUNTED + 1}`);
const having = (status: DomainStatus, registrarId: number): Fragment => sql`(select count(*) from (
  select from domain_statuses where registrar_id = ${registrarId} and status = ${status} ${BOUND}) as counted)`;

export function countDomainsInNeed(
  db: Sql,
  { registrarId }: RegistrarScope,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<DomainsInNeed> {
  return db.one(sql<DomainsInNeed>`
    select (select count(*) from (
        select from domains where registrar_id = ${registrarId} and expire_time >= ${from} and expire_time < ${until} ${BOUND}) as soon) as expiring,
      ${having('pendingUpdate', registrarId)} as "pendingUpdate",
      ${having('pendingDeleteConfirmation', registrarId)} as "pendingDeleteConfirmation",
      ${having('serverForceDelete', registrarId)} as "serverForceDelete", ${having('serverHold', registrarId)} as "serverHold",
      ${having('clientHold', registrarId)} as "clientHold", ${having('pendingDelete', registrarId)} as "pendingDelete"`);
}

export type UnreadMessages = {
  readonly count: number;
  readonly newest: { readonly text: string; readonly at: string } | null;
};

const unread = ({ registrarId, hidden }: MessageScope): Fragment => sql`
  poll_messages m where m.registrar_id = ${registrarId} and m.read_at is null and m.type <> all(${hidden}::text[])`;
const unreadCount = (scope: MessageScope): Fragment => sql`
  (select count(*) from (select from ${unread(scope)} ${BOUND}) as counted)`;

export const readUnreadMessages = (db: Sql, scope: MessageScope): Promise<UnreadMessages> =>
  db.one(sql<UnreadMessages>`
    select ${unreadCount(scope)} as count,
      (select json_build_object('text', m.text, 'at', m.created_at) from ${unread(scope)} order by m.created_at desc, m.id desc limit 1) as newest`);

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

import { storeAnswer } from '../../operations/stored-answers.ts';
import { isAfter } from '../../platform/paging/order.ts';
import { endOfPage, ifShown, positionOf, withOneMore } from '../../platform/paging/list-page.ts';
import type { Position } from '../../platform/paging/position.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { compactList, type Fragment, sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import type { Context, Operation, Plan } from '../operation.ts';
import { refuse } from '../registry-refusals.ts';
import type { MessageDetails } from './message-details.ts';
import type { MessageType } from './send-messages.ts';

type ReadContext = Pick<Context, 'principal'>;
type Row = {
  readonly messages: string;
  readonly returned: number;
  readonly total: number;
  readonly next: string | null;
};
export type MessageList = Omit<Row, 'next'> & { readonly next: Position | undefined };

const MESSAGE_SORT = '-createdAt';
const MESSAGE_COLUMNS = { createdAt: { column: sql`created_at`, type: 'time' } } as const;

/** The members of a message in the words of the registry, for a row `m` of messages: an interface writes JSON of them. */
export const MESSAGE = {
  id: sql`m.id`,
  text: sql`m.text`,
  type: sql`m.type`,
  attachedType: sql`m.attached_obj_type`,
  attachedId: sql`m.attached_obj_id`,
  createdAt: sql`m.created_at`,
  isRead: sql`m.read_at is not null`,
};
const NEWEST_FIRST = sql`order by m.created_at desc, m.id desc`;

const unread = (registrarId: number): Fragment =>
  sql`poll_messages m where m.registrar_id = ${registrarId} and m.read_at is null`;

/** The newest unread message as JSON text, if there is one. */
export async function readLatestMessage(
  db: Sql,
  message: Fragment,
  { principal: { registrarId } }: ReadContext,
): Promise<string | undefined> {
  const row = await db.maybe(sql<{ message: string }>`
    select ${message}::text as message from ${unread(registrarId)} ${NEWEST_FIRST} limit 1`);
  return row?.message;
}

export type OldestMessage = {
  readonly id: number;
  readonly type: MessageType;
  readonly text: string;
  readonly createdAt: Date;
  /** What it is about, for interfaces that have fields for it; null if the text says all. */
  readonly details: MessageDetails | null;
  /** All unread messages, this one included. */
  readonly count: number;
};

/** The oldest unread message: a queue is read in the order of its messages. */
export function readOldestMessage(
  db: Sql,
  { principal: { registrarId } }: ReadContext,
): Promise<OldestMessage | undefined> {
  return db.maybe(sql<OldestMessage>`
    select m.id, m.type, m.text, m.created_at as "createdAt", m.details, (select count(*) from ${unread(registrarId)}) as count
    from ${unread(registrarId)} order by m.created_at, m.id limit 1`);
}

export async function countUnread(db: Sql, { principal: { registrarId } }: ReadContext): Promise<number> {
  const row = await db.one(sql<{ count: number }>`select count(*) as count from ${unread(registrarId)}`);
  return row.count;
}

export async function listUnreadMessages(
  db: Sql,
  page: { limit: number; offset: number; after?: Position | undefined },
  message: Fragment,
  { principal: { registrarId } }: ReadContext,
): Promise<MessageList> {
  const further = page.after ? sql`and ${isAfter(MESSAGE_SORT, MESSAGE_COLUMNS, page.after)}` : sql``;
  const row = await db.one(sql<Row>`
    with page as (
      select m.created_at as key, m.id, row_number() over (${NEWEST_FIRST}) as position from ${unread(registrarId)}
      ${further} ${NEWEST_FIRST} ${withOneMore(page)})
    select coalesce(${compactList(message, sql`page.position`, ifShown(page))}, '[]')::text as messages, count(*) ${ifShown(page)} as returned,
      (select count(*) from ${unread(registrarId)}) as total, ${endOfPage(page, 'time')} as next
    from page cross join lateral (select * from poll_messages where id = page.id offset 0) as m`);
  return { ...row, next: positionOf(row.next) };
}

/** A message as JSON text. It remains readable after it was acknowledged. */
export async function readMessage(
  db: Sql,
  id: number | undefined,
  message: Fragment,
  { principal: { registrarId } }: ReadContext,
): Promise<{ readonly message: string; readonly isRead: boolean }> {
  const row = await db.maybe(sql<{ message: string; isRead: boolean }>`
    select ${message}::text as message, ${MESSAGE.isRead} as "isRead"
    from poll_messages m where m.id = ${id ?? null}::bigint and m.registrar_id = ${registrarId}`);
  return row ?? refuse('objectMissing');
}

type Acknowledgement = {
  readonly id: number | undefined;
  /** A message that was read already is refused as unknown: it has left the queue. */
  readonly onlyUnread?: boolean;
};
/** Which messages are read now. */
export type AcknowledgedMessages = { readonly ids: readonly number[] };
type AcknowledgePlan = Plan<AcknowledgedMessages> & { readonly onlyUnread: boolean };

/** Marks a message as read; idempotent, unless onlyUnread. */
export const acknowledgeMessage: Operation<
  Acknowledgement,
  { readonly isRead: boolean | undefined },
  AcknowledgePlan
> = {
  async load(db, { id }, { principal }) {
    const row = await db.maybe(sql<{ isRead: boolean }>`
      select read_at is not null as "isRead" from poll_messages
      where id = ${id ?? null}::bigint and registrar_id = ${principal.registrarId}`);
    return { isRead: row?.isRead };
  },

  decide({ isRead }, { id, onlyUnread = false }) {
    if (isRead === undefined || id === undefined || (isRead && onlyUnread)) return refuse('objectMissing');
    return { answer: { ids: [id] }, onlyUnread };
  },

  persist: (db, { answer, onlyUnread }, context) => markRead(db, answer, onlyUnread, context),
};

type ManyPlan = Plan<AcknowledgedMessages>;

/** Marks many messages as read, all or none; those that are read already stay as they are. */
export const acknowledgeMessages: Operation<
  { readonly ids: readonly number[] },
  { readonly own: number },
  ManyPlan
> = {
  load: (db, { ids }, { principal }) =>
    db.one(sql<{ own: number }>`
      select count(*) as own from poll_messages where id = any(${ids}::bigint[]) and registrar_id = ${principal.registrarId}`),

  decide({ own }, { ids }) {
    const distinct = [...new Set(ids)];
    if (own < distinct.length) return refuse('objectMissing');
    return { answer: { ids: distinct } };
  },

  persist: (db, { answer }, context) => markRead(db, answer, false, context),
};

async function markRead(
  db: Sql,
  answer: AcknowledgedMessages,
  onlyUnread: boolean,
  context: Context,
): Promise<void> {
  const { ids } = answer;
  const changed = part(
    'changed',
    ['stored'],
    sql`
      update poll_messages m set read_at = coalesce(m.read_at, ${context.now}) from stored
      where m.id = any(${ids}::bigint[]) and m.registrar_id = ${context.principal.registrarId} and (m.read_at is null or not ${onlyUnread})
      returning m.id`,
  );
  // Of two that acknowledge the same message at once, the later decides again, and is refused if only unread ones count.
  const statement = WithStatement.from(storeAnswer(answer, context)).and(changed);
  const isAll = sql`select require_unchanged(count(*) = ${ids.length}::bigint) from changed`;
  await db.run(statement.end(['changed'], isAll));
}

import { storeAnswers } from '../../operations/stored-answers.ts';
import { isAfter, type Order } from '../../platform/paging/order.ts';
import { endOfPage, ifShown, positionOf, withOneMore } from '../../platform/paging/list-page.ts';
import type { Position } from '../../platform/paging/position.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { compactList, type Fragment, sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import type { Context, Decided, Operation, Plan } from '../operation.ts';
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

export type MessageSort = Order<'createdAt'>;
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
  domain: sql`m.domain`,
  contact: sql`m.contact`,
  invoiceNumber: sql`m.invoice_number`,
  amount: sql`to_char(m.amount / 100.0, 'FM999999999999990.00')`,
  direction: sql`m.direction`,
  idempotencyKey: sql`m.idempotency_key`,
};
const NEWEST_FIRST = sql`order by m.created_at desc, m.id desc`;
const OLDEST_FIRST = sql`order by m.created_at, m.id`;

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

type MessagePage = {
  readonly limit: number;
  readonly offset: number;
  readonly after?: Position | undefined;
  readonly sort: MessageSort;
};

export async function listUnreadMessages(
  db: Sql,
  { sort, ...page }: MessagePage,
  message: Fragment,
  { principal: { registrarId } }: ReadContext,
): Promise<MessageList> {
  const further = page.after ? sql`and ${isAfter(sort, MESSAGE_COLUMNS, page.after)}` : sql``;
  const order = sort === 'createdAt' ? OLDEST_FIRST : NEWEST_FIRST;
  const row = await db.one(sql<Row>`
    with page as (
      select m.created_at as key, m.id, row_number() over (${order}) as position from ${unread(registrarId)}
      ${further} ${order} ${withOneMore(page)})
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

type Wanted = { readonly id: number | undefined; readonly registrarId: number };

/** Marks a message as read; idempotent, unless onlyUnread. */
export const acknowledgeMessage: Operation<
  Acknowledgement,
  { readonly isRead: boolean | undefined },
  AcknowledgePlan
> = {
  async load(db, { id }, { principal: { registrarId } }) {
    const [found] = await areRead(db, [{ id, registrarId }]);
    return found ?? { isRead: undefined };
  },

  decide({ isRead }, { id, onlyUnread = false }) {
    if (isRead === undefined || id === undefined || (isRead && onlyUnread)) return refuse('objectMissing');
    return { answer: { ids: [id] }, onlyUnread };
  },

  persist: (db, plan, context) => markRead(db, [{ plan, context }]),
  batch: {
    load: (db, requests) =>
      areRead(
        db,
        requests.map(({ input: { id }, context: { principal } }) => ({
          id,
          registrarId: principal.registrarId,
        })),
      ),
    persist: markRead,
  },
};

/** Marks many messages as read, all or none; those that are read already stay as they are. */
export const acknowledgeMessages: Operation<
  { readonly ids: readonly number[] },
  { readonly own: number },
  AcknowledgePlan
> = {
  load: (db, { ids }, { principal }) =>
    db.one(sql<{ own: number }>`
      select count(*) as own from poll_messages where id = any(${ids}::bigint[]) and registrar_id = ${principal.registrarId}`),

  decide({ own }, { ids }) {
    const distinct = [...new Set(ids)];
    if (own < distinct.length) return refuse('objectMissing');
    return { answer: { ids: distinct }, onlyUnread: false };
  },

  persist: (db, plan, context) => markRead(db, [{ plan, context }]),
};

/** Which of the ids that were sent are messages of the registrar, and now read. */
export type ListedAcknowledged = AcknowledgedMessages & { readonly unknown: readonly number[] };

/** Marks those of a list that are the registrar's as read; those that are read already stay as they are. */
export const acknowledgeListed: Operation<
  { readonly ids: readonly number[] },
  { readonly own: readonly number[] },
  Plan<ListedAcknowledged> & { readonly onlyUnread: false }
> = {
  load: (db, { ids }, { principal }) =>
    db.one(sql<{ own: number[] }>`
      select array(
        select id from poll_messages where id = any(${ids}::bigint[]) and registrar_id = ${principal.registrarId}) as own`),

  decide({ own }, { ids }) {
    const known = new Set(own);
    const distinct = [...new Set(ids)];
    const answer = {
      ids: distinct.filter((id) => known.has(id)),
      unknown: distinct.filter((id) => !known.has(id)),
    };
    return { answer, onlyUnread: false };
  },

  persist: (db, plan, context) => markRead(db, [{ plan, context }]),
};

async function areRead(
  db: Sql,
  wanted: readonly Wanted[],
): Promise<{ readonly isRead: boolean | undefined }[]> {
  const rows = await db.rows(sql<{ isRead: boolean | null }>`
    select case when m.id is not null then m.read_at is not null end as "isRead"
    from unnest(${wanted.map(({ id }) => id ?? null)}::bigint[], ${wanted.map(({ registrarId }) => registrarId)}::bigint[]) with ordinality as w(id, registrar_id, position)
    left join poll_messages m on m.id = w.id and m.registrar_id = w.registrar_id order by w.position`);
  return rows.map(({ isRead }) => ({ isRead: isRead ?? undefined }));
}

/** Of two that acknowledge the same message at once, the later decides again, and is refused if only unread ones count. */
async function markRead(db: Sql, decided: readonly Decided<AcknowledgePlan>[]): Promise<void> {
  const wanted = decided.flatMap(({ plan: { answer, onlyUnread }, context: { principal, now } }) =>
    answer.ids.map((id) => ({ id, registrarId: principal.registrarId, at: now.toISOString(), onlyUnread })),
  );
  const changed = part(
    'changed',
    ['stored'],
    sql`
      update poll_messages m set read_at = coalesce(m.read_at, w.at)
      from stored, unnest(${wanted.map(({ id }) => id)}::bigint[], ${wanted.map(({ registrarId }) => registrarId)}::bigint[],
        ${wanted.map(({ at }) => at)}::timestamptz[], ${wanted.map(({ onlyUnread }) => onlyUnread)}::boolean[]) as w(id, registrar_id, at, only_unread)
      where m.id = w.id and m.registrar_id = w.registrar_id and (m.read_at is null or not w.only_unread)
      returning m.id`,
  );
  const stored = storeAnswers(decided.map(({ plan: { answer }, context }) => ({ ...context, answer })));
  const isAll = sql`select require_unchanged(count(*) = ${wanted.length}::bigint) from changed`;
  await db.run(WithStatement.from(stored).and(changed).end(['changed'], isAll));
}

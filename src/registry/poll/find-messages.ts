import { type FoundPageWithTotal, findPageWithTotal } from '../../platform/paging/keyset-search.ts';
import type { Position } from '../../platform/paging/position.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';
import type { MessageDetails } from './message-details.ts';
import type { MessageType } from './send-messages.ts';

/** Whose messages are read. */
export type MessageScope = RegistrarScope & {
  /** Types that the reader may not see. */
  readonly hidden: readonly MessageType[];
};

/** Undefined where nothing is hidden. */
const isVisible = ({ hidden }: MessageScope): Fragment | undefined =>
  hidden.length === 0 ? undefined : sql`o.type <> all(${hidden}::text[])`;

/** Absent filters match everything. */
export type MessageFilter = {
  readonly isUnread?: boolean;
  readonly type?: MessageType | undefined;
  readonly from?: Date | undefined;
  readonly before?: Date | undefined;
};
export type MessageQuery = { readonly filter: MessageFilter; readonly after: Position | undefined };

export type FoundMessage = {
  readonly id: number;
  readonly type: MessageType;
  readonly text: string;
  readonly createdAt: Date;
  readonly readAt: Date | null;
};
const SHOWN = sql<FoundMessage>`o.id, o.type, o.text, o.created_at as "createdAt", o.read_at as "readAt"`;
const COLUMNS = { createdAt: { column: sql`o.created_at`, type: 'time' } } as const;

/** One page of a registrar's messages, newest first; the first page with the number of all that match. */
export function findMessages(
  db: Sql,
  { filter, after }: MessageQuery,
  size: number,
  scope: MessageScope,
): Promise<FoundPageWithTotal<FoundMessage>> {
  const { registrarId } = scope;
  const { isUnread = false, type, from = null, before = null } = filter;
  // As the partial index of unread messages has it.
  const unread = isUnread ? sql`o.read_at is null and` : sql``;
  const search = {
    table: sql`poll_messages`,
    registrarId,
    sort: '-createdAt',
    columns: COLUMNS,
    after,
    range: sql`${unread} o.created_at >= coalesce(${from}::timestamptz, '-infinity') and o.created_at < coalesce(${before}::timestamptz, 'infinity')`,
    entryColumns: sql`o.id`,
    entryTest: () => sql`true`,
    rowTest: rowTestOf(type, isVisible(scope)),
    candidates: undefined,
  } as const;
  return findPageWithTotal(db, search, SHOWN, size);
}

function rowTestOf(type: MessageType | undefined, visible: Fragment | undefined): Fragment | undefined {
  if (type === undefined) return visible;
  return visible ? sql`o.type = ${type} and ${visible}` : sql`o.type = ${type}`;
}

export type MessageRecord = FoundMessage & {
  readonly details: MessageDetails | null;
  /** What it is about, as far as that belongs to the registrar still. */
  readonly domain: string | null;
  readonly contact: string | null;
};

/** One message with everything about it; undefined if it is not the registrar's, or hidden from the reader. */
export function readMessageRecord(
  db: Sql,
  id: number,
  scope: MessageScope,
): Promise<MessageRecord | undefined> {
  const { registrarId } = scope;
  return db.maybe(sql<MessageRecord>`
    select ${SHOWN}, o.details,
      (select d.name from domains d where o.attached_obj_type = 'Domain' and d.id = o.attached_obj_id and d.registrar_id = ${registrarId}) as domain,
      (select c.code from contacts c where o.attached_obj_type = 'Contact' and c.id = o.attached_obj_id and c.registrar_id = ${registrarId}) as contact
    from poll_messages o where o.id = ${id}::bigint and o.registrar_id = ${registrarId} and ${isVisible(scope) ?? sql`true`}`);
}

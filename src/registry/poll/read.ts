import { remembered, statement } from '../../platform/database/statement.ts';
import { isoTime } from '../../platform/database/time.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { endOfPage, isAfter, type Position, readPosition, SHOWN } from '../listing.ts';
import type { Context } from '../operation.ts';
import { refuse } from '../refusals.ts';

type ReadContext = Pick<Context, 'principal'>;
type Row = {
  readonly messages: string;
  readonly returned: number;
  readonly total: number;
  readonly next: string | null;
};
export type MessageList = Omit<Row, 'next'> & { readonly next: Position | undefined };

export const MESSAGE_SORT = '-created_at';
export const MESSAGE_COLUMNS = { created_at: { column: 'created_at', type: 'time' } } as const;

const MESSAGE = `json_build_object('id', m.id, 'text', m.text, 'attached_obj_type', m.attached_obj_type, 'attached_obj_id', m.attached_obj_id,
  'type', m.type, 'created_at', ${isoTime('m.created_at')})`;
const UNREAD = 'poll_messages m where m.registrar_id = :registrarId and m.read_at is null';
const NEWEST_FIRST = 'order by m.created_at desc, m.id desc';

const findLatest = statement<{ message: string }, 'registrarId'>(`
  select ${MESSAGE}::text as message from ${UNREAD} ${NEWEST_FIRST} limit 1`);

const findPage = remembered((continued: boolean) =>
  statement<Row, 'registrarId' | 'limit' | 'offset' | 'afterKey' | 'afterId'>(`
    with page as (
      select m.created_at as key, m.id, row_number() over (${NEWEST_FIRST}) as place from ${UNREAD}
      ${continued ? `and ${isAfter(MESSAGE_SORT, MESSAGE_COLUMNS)}` : ''} ${NEWEST_FIRST} limit :limit::bigint + 1 offset :offset::bigint)
    select coalesce((
        select json_agg(${MESSAGE} ${NEWEST_FIRST})
        from ${SHOWN} as page cross join lateral (select * from poll_messages where id = page.id offset 0) as m), '[]')::text as messages,
      (select count(*) from ${SHOWN} as shown) as returned, (select count(*) from ${UNREAD}) as total, ${endOfPage('time')} as next`),
);

const findOne = statement<{ message: string }, 'id' | 'registrarId'>(`
  select ${MESSAGE}::text as message from poll_messages m where m.id = :id::bigint and m.registrar_id = :registrarId`);

/** The newest unread message as JSON text, or an empty object. */
export async function readLatestMessage(
  db: Sql,
  { principal: { registrarId } }: ReadContext,
): Promise<string> {
  const [row] = await findLatest(db, { registrarId });
  return row?.message ?? '{}';
}

export async function listUnreadMessages(
  db: Sql,
  { limit, offset, after }: { limit: number; offset: number; after?: Position | undefined },
  { principal: { registrarId } }: ReadContext,
): Promise<MessageList> {
  const find = findPage(after !== undefined);
  const [row] = await find(db, { registrarId, limit, offset, afterKey: after?.key, afterId: after?.id });
  return row
    ? { ...row, next: readPosition(row.next) }
    : { messages: '[]', returned: 0, total: 0, next: undefined };
}

/** A message stays readable after it was read. */
export async function readMessage(
  db: Sql,
  id: number | undefined,
  { principal: { registrarId } }: ReadContext,
): Promise<string> {
  const [row] = await findOne(db, { id: id ?? null, registrarId });
  return row?.message ?? refuse('objectMissing');
}

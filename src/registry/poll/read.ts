import type { Sql } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { isoTime } from '../../platform/database/time.ts';
import type { Context } from '../operation.ts';
import { refuse } from '../refusals.ts';

type ReadContext = Pick<Context, 'principal'>;
export type MessageList = { readonly messages: string; readonly returned: number; readonly total: number };

const MESSAGE = `json_build_object('id', m.id, 'text', m.text, 'attached_obj_type', m.attached_obj_type, 'attached_obj_id', m.attached_obj_id,
  'type', m.type, 'created_at', ${isoTime('m.created_at')})`;
const UNREAD = 'poll_messages m where m.registrar_id = :registrarId and m.read_at is null';
const NEWEST_FIRST = 'order by m.created_at desc, m.id desc';

const findLatest = statement<{ message: string }, 'registrarId'>(`
  select ${MESSAGE}::text as message from ${UNREAD} ${NEWEST_FIRST} limit 1`);

const findPage = statement<MessageList, 'registrarId' | 'limit' | 'offset'>(`
  with page as (select m.created_at, m.id from ${UNREAD} ${NEWEST_FIRST} limit :limit offset :offset)
  select coalesce((
      select json_agg(${MESSAGE} ${NEWEST_FIRST})
      from page cross join lateral (select * from poll_messages where id = page.id offset 0) as m), '[]')::text as messages,
    (select count(*) from page) as returned, (select count(*) from ${UNREAD}) as total`);

const findOne = statement<{ message: string }, 'id' | 'registrarId'>(`
  select ${MESSAGE}::text as message from poll_messages m where m.id = :id::bigint and m.registrar_id = :registrarId`);

/** The newest unread message as JSON text, or an empty object. */
export async function readLatestMessage(
  sql: Sql,
  { principal: { registrarId } }: ReadContext,
): Promise<string> {
  const [row] = await findLatest(sql, { registrarId });
  return row?.message ?? '{}';
}

export async function listUnreadMessages(
  sql: Sql,
  { limit, offset }: { limit: number; offset: number },
  { principal: { registrarId } }: ReadContext,
): Promise<MessageList> {
  const [row] = await findPage(sql, { registrarId, limit, offset });
  return row ?? { messages: '[]', returned: 0, total: 0 };
}

/** A message stays readable after it was read. */
export async function readMessage(
  sql: Sql,
  id: number | undefined,
  { principal: { registrarId } }: ReadContext,
): Promise<string> {
  const [row] = await findOne(sql, { id: id ?? null, registrarId });
  return row?.message ?? refuse('objectMissing');
}

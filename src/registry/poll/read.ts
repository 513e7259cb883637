import type { Fragment, Sql } from '../../platform/database/database.ts';
import { isoTime } from '../../platform/database/time.ts';
import type { Context } from '../operation.ts';
import { refuse } from '../refusals.ts';

type ReadContext = Pick<Context, 'principal'>;
export type MessageList = { readonly messages: string; readonly returned: number; readonly total: number };

/** The newest unread message as JSON text, or an empty object. */
export async function readLatestMessage(sql: Sql, { principal }: ReadContext): Promise<string> {
  const [row] = await sql<{ message: string }[]>`
    select ${messageObject(sql)}::text as message from poll_messages m
    where m.registrar_id = ${principal.registrarId} and m.read_at is null order by m.created_at desc, m.id desc limit 1`;
  return row?.message ?? '{}';
}

export async function listUnreadMessages(
  sql: Sql,
  { limit, offset }: { limit: number; offset: number },
  { principal }: ReadContext,
): Promise<MessageList> {
  const unread = sql`poll_messages m where m.registrar_id = ${principal.registrarId} and m.read_at is null`;
  const [row] = await sql<MessageList[]>`
    with page as (select m.created_at, m.id from ${unread} order by m.created_at desc, m.id desc limit ${limit} offset ${offset})
    select coalesce((
        select json_agg(${messageObject(sql)} order by page.created_at desc, page.id desc)
        from page cross join lateral (select * from poll_messages where id = page.id offset 0) as m), '[]')::text as messages,
      (select count(*) from page) as returned, (select count(*) from ${unread}) as total`;
  return row ?? { messages: '[]', returned: 0, total: 0 };
}

/** A message stays readable after it was read. */
export async function readMessage(
  sql: Sql,
  id: number | undefined,
  { principal }: ReadContext,
): Promise<string> {
  const [row] = await sql<{ message: string }[]>`
    select ${messageObject(sql)}::text as message from poll_messages m
    where m.id = ${id ?? null}::bigint and m.registrar_id = ${principal.registrarId}`;
  return row?.message ?? refuse('objectMissing');
}

function messageObject(sql: Sql): Fragment {
  return sql`json_build_object('id', m.id, 'text', m.text, 'attached_obj_type', m.attached_obj_type, 'attached_obj_id', m.attached_obj_id,
    'type', m.type, 'created_at', ${sql.unsafe(isoTime('m.created_at'))})`;
}

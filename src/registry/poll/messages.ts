import type { Sql } from '../../platform/sql/executor.ts';
import { type Statement, sql } from '../../platform/sql/statement.ts';
import { type Part, part } from '../../platform/sql/with.ts';
import type { NewMessage } from './texts.ts';

/** Writes messages, in the transaction of what they tell of. */
export async function sendMessages(db: Sql, messages: readonly NewMessage[], now: Date): Promise<void> {
  if (messages.length > 0) await db.run(insertMessages(messages, now));
}

/** Part of a persisting statement: the messages that go with the changes, if they happen. */
export function writeMessages(
  changes: readonly { readonly messages?: readonly NewMessage[] }[],
  now: Date,
): Part<'told', 'changed'> | undefined {
  const messages = changes.flatMap((change) => change.messages ?? []);
  if (messages.length === 0) return undefined;
  return part('told', ['changed'], sql`${insertMessages(messages, now)} where exists (select from changed)`);
}

function insertMessages(messages: readonly NewMessage[], now: Date): Statement {
  return sql`
    insert into poll_messages (registrar_id, type, text, attached_obj_type, attached_obj_id, created_at)
    select m.registrar_id, m.type, m.text, m.attached_obj_type, m.attached_obj_id, ${now}
    from unnest(${messages.map(({ registrarId }) => registrarId)}::bigint[], ${messages.map(({ type }) => type)}::text[], ${messages.map(({ text }) => text)}::text[],
      ${messages.map(({ attached }) => attached?.type ?? null)}::text[], ${messages.map(({ attached }) => attached?.id ?? null)}::bigint[])
      as m(registrar_id, type, text, attached_obj_type, attached_obj_id)`;
}

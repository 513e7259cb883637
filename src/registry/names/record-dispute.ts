import { insertHistory, type Recorder } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { MessageAuthor } from '../poll/message-details.ts';
import { message, sendMessages } from '../poll/send-messages.ts';

/** What happened to the dispute over a name is part of the history of its domain, if there is one, and told to its sponsor. */
export async function recordDispute(
  db: Sql,
  { name, operation, type }: DisputeChange & { readonly name: string },
  by: Recorder & MessageAuthor,
): Promise<void> {
  const domain = await db.maybe(sql<{ id: number; registrarId: number }>`
    select id, registrar_id as "registrarId" from domains where name = ${name}`);
  await db.run(
    insertHistory(
      { objectKind: 'domain', objectId: domain?.id ?? 0, objectName: name, operation, registrarId: null },
      by,
      sql``,
    ),
  );
  if (domain) await sendMessages(db, [message(type, { ...domain, name, status: 'disputed' })], by);
}

type DisputeChange = {
  readonly operation: string;
  readonly type: 'status_set' | 'status_cancelled';
};

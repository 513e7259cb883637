import { storeAnswer } from '../../operations/idempotency.ts';
import { sql } from '../../platform/sql/statement.ts';
import { WithStatement } from '../../platform/sql/with.ts';
import type { Operation, Plan } from '../operation.ts';
import { refuse } from '../refusals.ts';

type AcknowledgePlan = Plan & { readonly id: number };

/** Marks a message as read; a second time is no failure. */
export const acknowledgeMessage: Operation<
  { readonly id: number | undefined },
  { readonly found: boolean },
  AcknowledgePlan
> = {
  async load(db, { id }, { principal }) {
    const row = await db.one(sql<{ found: boolean }>`
      select exists (select from poll_messages where id = ${id ?? null}::bigint and registrar_id = ${principal.registrarId}) as found`);
    return { found: row.found };
  },

  decide({ found }, { id }) {
    if (!found || id === undefined) return refuse('objectMissing');
    return { answer: { notification_id: id, read: true }, id };
  },

  async persist(db, { answer, id }, context) {
    const read = sql`
      update poll_messages m set read_at = coalesce(m.read_at, ${context.now}) from stored
      where m.id = ${id} and m.registrar_id = ${context.principal.registrarId}`;
    await db.run(WithStatement.from(storeAnswer(answer, context)).end(['stored'], read));
  },
};

import type { OperatorContext } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';

type Closing = {
  readonly outcome: 'refused' | 'withdrawn';
  /** As the registrar is told it. */
  readonly reason: string | null;
  readonly operation: string;
};

/** Ends a request `q` of a user `u` without a certificate. False if none waits that is meant. */
export async function closeRequest(
  db: Sql,
  { outcome, reason, operation }: Closing,
  context: OperatorContext,
  isMeant: Fragment,
): Promise<boolean> {
  const entry = { objectKind: 'user', operation, registrarId: sql`changed.registrar_id` };
  const recorded = await db.run(sql`
    with changed as (
      update certificate_requests q set closed_at = ${context.now}, outcome = ${outcome}, reason = ${reason}
      from api_users u
      where u.id = q.user_id and q.closed_at is null and ${isMeant}
      returning u.id, u.username as name, u.registrar_id)
    ${insertHistory(entry, context, sql`from changed`)}`);
  return recorded > 0;
}

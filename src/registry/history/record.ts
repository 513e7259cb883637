import type { Fragment, Sql } from '../../platform/database/database.ts';
import { actorOf } from '../actor.ts';
import type { Context } from '../operation.ts';

type Change = {
  readonly objectKind: 'contact' | 'domain';
  readonly operation: string;
  readonly before: object | null;
  readonly after: object | null;
};

/** Part of a persisting statement: `recorded`, one history row for the row (id, name) of the part called `changed`. */
export function recordHistory(
  sql: Sql,
  { objectKind, operation, before, after }: Change,
  context: Context,
): Fragment {
  const { principal, now, requestId } = context;
  return sql`recorded as (
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id, before, after)
      select ${now}, ${objectKind}, changed.id, changed.name, ${operation}, ${principal.registrarId}, ${actorOf(principal)}, ${requestId},
        ${before && sql.json(before as never)}, ${after && sql.json(after as never)}
      from changed returning id)`;
}

/** Ends a persisting statement: where `part` lacks a row the guard was lost, and then nothing of the statement stays. */
export const mustHave = (sql: Sql, part: 'recorded' | 'charged', rows = 1): Fragment =>
  sql`select must_hold(count(*) = ${rows}) from ${sql(part)}`;

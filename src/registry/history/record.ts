import { identifier, json, type Statement, sql } from '../../platform/sql/statement.ts';
import { type Part, part } from '../../platform/sql/with.ts';
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
  { objectKind, operation, before, after }: Change,
  context: Context,
): Part<'recorded', 'changed'> {
  const { principal, now, requestId } = context;
  return part(
    'recorded',
    ['changed'],
    sql`
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id, before, after)
      select ${now}, ${objectKind}, changed.id, changed.name, ${operation}, ${principal.registrarId}, ${actorOf(principal)}, ${requestId},
        ${before && json(before)}, ${after && json(after)}
      from changed returning id`,
  );
}

/** Ends a persisting statement: where that part lacks a row the guard was lost, and then nothing of the statement stays. */
export const mustHave = (name: 'recorded' | 'charged', rows = 1): Statement =>
  sql`select must_hold(count(*) = ${rows}) from ${identifier(name)}`;

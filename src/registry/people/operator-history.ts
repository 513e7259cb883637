import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { OperatorChange } from '../operator-change.ts';

/** The end of a statement whose part `changed` has the id and email of the person whom an operator changed. */
export const recordOperatorChange = (
  operation: string,
  { actor, at, reason, requestId }: OperatorChange,
): Fragment => sql`
  insert into history (at, object_kind, object_id, object_name, operation, actor, reason, request_id)
  select ${at}, 'person', id, email, ${operation}, ${actor}, ${reason ?? null}, ${requestId ?? null} from changed
  returning 1`;

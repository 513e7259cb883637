import { insertHistory } from '../../operations/record-history.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';

/** Somebody who changes what concerns its own login. */
export type PersonChange = {
  readonly personId: number;
  readonly email: string;
  /** The registrar that the person acts for. */
  readonly registrarId: number;
  readonly requestId: string;
  /** By the wall clock, as everything about logins. */
  readonly now: Date;
};

/** The end of a statement whose part `changed` has the rows that were changed: one row of history, if there are any. */
export function recordPersonChange(
  operation: string,
  { personId, email, registrarId, requestId, now }: PersonChange,
): Fragment {
  const entry = { objectKind: 'person', objectId: personId, objectName: email, operation, registrarId };
  const by = { actor: `person:${email}`, now, requestId };
  return sql`${insertHistory(entry, by, sql`where exists (select from changed)`)} returning 1`;
}

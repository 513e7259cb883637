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
export const recordPersonChange = (
  operation: string,
  { personId, email, registrarId, requestId, now }: PersonChange,
): Fragment => sql`
  insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id)
  select ${now}, 'person', ${personId}, ${email}, ${operation}, ${registrarId}, ${`person:${email}`}, ${requestId}
  where exists (select from changed)
  returning 1`;

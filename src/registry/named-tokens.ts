import type { Sql } from '../platform/sql/executor.ts';
import { type Fragment, sql } from '../platform/sql/statement.ts';
import type { OperatorChange } from './operator-change.ts';

export type NamedToken = {
  readonly name: string;
  readonly status: 'valid' | 'expired' | 'revoked';
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
};

/** The columns of a NamedToken besides its name. */
export const tokenColumns = (now: Date): Fragment => sql`
  case when revoked_at is not null then 'revoked' when expires_at <= ${now} then 'expired' else 'valid' end as status,
  created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt"`;

type Tokens = {
  readonly table: Fragment;
  /** As history calls them. */
  readonly kind: string;
  /** What is deleted of one that is revoked. */
  readonly cleared?: Fragment;
};

/** Revokes one by its name, for good. False if there is none of that name that is not revoked already. */
export async function revokeByName(
  db: Sql,
  { table, kind, cleared = sql`` }: Tokens,
  name: string,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with revoked as (
      update ${table} set revoked_at = ${at}${cleared} where name = ${name} and revoked_at is null returning id)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason)
    select ${at}, ${kind}, id, ${name}, 'revoke', ${actor}, ${reason ?? null} from revoked returning 1`);
  return rows.length === 1;
}

import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { revokeByName } from '../named-tokens.ts';
import type { OperatorChange } from '../operator-change.ts';

export type KeyAlgorithm = 'hmac-sha256' | 'hmac-sha512';
export type NewKey = {
  readonly name: string;
  readonly secondary: string;
  readonly algorithm: KeyAlgorithm;
  readonly secret: Buffer;
};
export type KeyRow = {
  readonly name: string;
  readonly secondary: string;
  readonly algorithm: KeyAlgorithm;
  readonly status: 'valid' | 'revoked';
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
};

/** One in use, and one that takes its place. */
export const MAX_VALID_KEYS = 2;

export async function createSecondaryKey(
  db: Sql,
  { name, secondary, algorithm, secret }: NewKey,
  { actor, at, reason }: OperatorChange,
): Promise<'created' | 'no such secondary' | 'name was used' | 'too many'> {
  // The lock makes concurrent creations count each other.
  const found = await db.maybe(sql<{ id: number; valid: number }>`
    select id, (select count(*)::int from dns_keys k where k.secondary_id = s.id and k.revoked_at is null) as valid
    from dns_secondaries s where name = ${secondary} and removed_at is null for update`);
  if (!found) return 'no such secondary';
  if (found.valid >= MAX_VALID_KEYS) return 'too many';
  const rows = await db.rows(sql`
    with created as (
      insert into dns_keys (secondary_id, name, algorithm, secret, created_at)
      values (${found.id}, ${name}, ${algorithm}, ${secret}, ${at}) on conflict (name) do nothing returning id)
    insert into history (at, object_kind, object_id, object_name, operation, actor, reason, after)
    select ${at}, 'dns key', id, ${name}, 'create', ${actor}, ${reason ?? null},
      jsonb_build_object('secondary', ${secondary}::text, 'algorithm', ${algorithm}::text)
    from created returning 1`);
  return rows.length === 1 ? 'created' : 'name was used';
}

/** Its secret is deleted. False if there is no valid key of that name. */
export const revokeSecondaryKey = (db: Sql, name: string, change: OperatorChange): Promise<boolean> =>
  revokeByName(db, { table: sql`dns_keys`, kind: 'dns key', cleared: sql`, secret = null` }, name, change);

/** All that there ever were, newest first. */
export function listSecondaryKeys(db: Sql): Promise<KeyRow[]> {
  return db.rows(sql<KeyRow>`
    select k.name, s.name as secondary, k.algorithm, case when k.revoked_at is null then 'valid' else 'revoked' end as status,
      k.created_at as "createdAt", k.revoked_at as "revokedAt"
    from dns_keys k join dns_secondaries s on s.id = k.secondary_id order by k.id desc`);
}

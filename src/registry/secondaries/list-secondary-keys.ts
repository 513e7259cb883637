import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

export const keyAlgorithms = ['hmac-sha256', 'hmac-sha512'] as const;
export type KeyAlgorithm = (typeof keyAlgorithms)[number];
export type KeyRow = {
  readonly name: string;
  readonly secondary: string;
  readonly algorithm: KeyAlgorithm;
  readonly status: 'valid' | 'revoked';
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
};

/** All that there ever were, newest first. */
export function listSecondaryKeys(db: Sql): Promise<KeyRow[]> {
  return db.rows(sql<KeyRow>`
    select k.name, s.name as secondary, k.algorithm, case when k.revoked_at is null then 'valid' else 'revoked' end as status,
      k.created_at as "createdAt", k.revoked_at as "revokedAt"
    from dns_keys k join dns_secondaries s on s.id = k.secondary_id order by k.id desc`);
}

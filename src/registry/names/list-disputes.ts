import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

export type Dispute = {
  readonly name: string;
  readonly startsAt: Date;
  readonly expiresAt: Date;
};

/** Open disputes, without their codes. */
export async function listDisputes(db: Sql, now: Date): Promise<Dispute[]> {
  return db.rows(sql<Dispute>`
    select name, starts_at as "startsAt", expires_at as "expiresAt" from disputes
    where closed_at is null and expires_at > ${now} order by name`);
}

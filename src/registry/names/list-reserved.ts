import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

export type Holder = 'operator' | 'portal';
export type ReservedRow = {
  readonly name: string;
  readonly heldBy: Holder;
  /** The invoice of a paid reservation. */
  readonly invoice: number | null;
  readonly expiresAt: Date | null;
};
/** Filters of the list; absent ones match everything. */
export type ReservedFilter = {
  /** A substring of the name. */
  readonly part?: string | undefined;
  readonly heldBy?: Holder | undefined;
  /** Those that expire before this time. */
  readonly before?: Date | undefined;
  /** Those without expiry. */
  readonly forGood?: boolean | undefined;
};

/** Reservations in force, with their codes: callers must omit these unless they were requested explicitly. */
export async function listReserved(
  db: Sql,
  { part, heldBy, before, forGood }: ReservedFilter,
  now: Date,
): Promise<(ReservedRow & { readonly code: string })[]> {
  return db.rows(sql<ReservedRow & { readonly code: string }>`
    select r.name, case when r.reservation_id is null then 'operator' else 'portal' end as "heldBy", v.invoice_number as invoice,
      r.expires_at as "expiresAt", r.code
    from reserved_names r left join reservations v on v.id = r.reservation_id
    where (r.expires_at is null or r.expires_at > ${now})
      ${part === undefined ? sql`` : sql`and strpos(r.name, ${part}) > 0`}
      ${heldBy === undefined ? sql`` : sql`and (r.reservation_id is null) = ${heldBy === 'operator'}`}
      ${before === undefined ? sql`` : sql`and r.expires_at < ${before}`}
      ${forGood ? sql`and r.expires_at is null` : sql``}
    order by r.name`);
}

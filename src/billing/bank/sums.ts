import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';

/** What the bank has told of one account, by what became of it. */
export type BankSums = {
  readonly account: string;
  readonly currency: string;
  /** Payments that paid invoices. */
  readonly booked: Cents;
  /** What the bank took back of invoices. */
  readonly returned: Cents;
  /** What waits for a person, less what waits to be taken back. */
  readonly unmatched: Cents;
  readonly aside: Cents;
};
type Row = { readonly [Name in keyof BankSums]: string };

export async function bankSums(db: Sql): Promise<BankSums[]> {
  const rows = await db.rows(sql<Row>`
    select account, currency,
      coalesce(sum(amount) filter (where status = 'booked' and direction = 'credit'), 0)::text as booked,
      coalesce(sum(amount) filter (where status = 'booked' and direction = 'debit'), 0)::text as returned,
      coalesce(sum(case direction when 'credit' then amount else -amount end) filter (where status = 'unmatched'), 0)::text as unmatched,
      coalesce(sum(case direction when 'credit' then amount else -amount end) filter (where status = 'aside'), 0)::text as aside
    from bank_entries group by account, currency order by account, currency`);
  return rows.map((row) => ({
    ...row,
    booked: BigInt(row.booked),
    returned: BigInt(row.returned),
    unmatched: BigInt(row.unmatched),
    aside: BigInt(row.aside),
  }));
}

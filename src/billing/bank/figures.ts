import type { Sql } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/metrics.ts';

/** The same figure on every process, since it tells of the database: take the largest, not the sum. */
export function watchBank(metrics: Metrics, sql: Sql): void {
  metrics.watch(
    'cadastre_bank_entries_waiting',
    'Payments of the bank that a person has to assign or set aside',
    async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from bank_entries where status = 'unmatched'`;
      return row?.count ?? 0;
    },
  );
}

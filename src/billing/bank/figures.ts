import type { Metrics } from '../../platform/metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

/** The same figure on every process, since it tells of the database: take the largest, not the sum. */
export function watchBank(metrics: Metrics, db: Sql): void {
  metrics.watch(
    'cadastre_bank_entries_waiting',
    'Payments of the bank that a person has to assign or set aside',
    async () => {
      const row = await db.one(sql<{ count: number }>`
        select count(*)::int as count from bank_entries where status = 'unmatched'`);
      return row.count;
    },
  );
}

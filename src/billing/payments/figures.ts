import type { Metrics } from '../../platform/metrics.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

/** What a person has to look at. The same figures on every process: take the largest, not the sum. */
export function watchPayments(metrics: Metrics, db: Sql): void {
  metrics.watch('cadastre_payments_held', 'Payments that a person has to judge', async () => {
    const row = await db.one(sql<{ count: number }>`
      select count(*)::int as count from held_payments where closed_at is null`);
    return row.count;
  });
  metrics.watch(
    'cadastre_unknown_payments_waiting',
    'References that only a callback has named and that the provider is still to be asked about',
    async () => {
      const row = await db.one(sql<{ count: number }>`
        select count(*)::int as count from payments where lane is not null`);
      return row.count;
    },
  );
  metrics.watch('cadastre_refunds_waiting', 'Refunds that have not taken place yet', async () => {
    const row = await db.one(sql<{ count: number }>`
      select count(*)::int as count from refunds where state = 'waiting'`);
    return row.count;
  });
}

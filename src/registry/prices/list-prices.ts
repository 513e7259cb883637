import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { PricedOperation } from './prices.ts';

export type PriceRow = {
  readonly zone: string;
  readonly operation: PricedOperation;
  readonly period: string;
  readonly price: string;
  readonly currency: string;
  readonly validFrom: string;
  readonly validUntil: string | null;
};

export async function listPrices(db: Sql, zone?: string): Promise<PriceRow[]> {
  return db.rows(sql<PriceRow>`
    select zone, operation, case when months % 12 = 0 then months / 12 || 'y' else months || 'm' end as period,
      to_char(amount / 100.0, 'FM999999999990.00') as price, currency, valid_from::text as "validFrom", valid_until::text as "validUntil"
    from prices where ${zone ?? null}::text is null or zone = ${zone ?? null}
    order by zone, operation, months, valid_from`);
}

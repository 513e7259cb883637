import { sql } from '../../platform/sql/statement.ts';
import { ee } from '../../policy/ee.ts';
import { dayOf } from '../../registry/domains/periods.ts';
import { fine, type InsideCheck, warning } from './check.ts';

export const pricesCheck: InsideCheck = {
  name: 'prices',
  async examine({ sql: db, now }) {
    const zones = ee.zones.map(({ origin }) => origin);
    const missing = await db.rows(sql<{ zone: string; operation: string }>`
      select zone, operation from unnest(${zones}::text[]) with ordinality as z(zone, place), unnest(array['create', 'renew']) as operation
      where not exists (select from prices p where p.zone = z.zone and p.operation = operation.operation
        and p.valid_from <= ${dayOf(now, ee)}::date and (p.valid_until is null or p.valid_until > ${dayOf(now, ee)}::date))
      order by place, operation`);
    if (missing.length === 0) return [fine('every zone has some for create and renew today')];
    return missing.map(({ zone, operation }) =>
      warning(
        `Nothing can be ${operation === 'create' ? 'registered' : 'renewed'} in ${zone}: there is no price today.`,
        `Enter one, such as: cadastre price set ${zone} ${operation} 1y 9.00`,
      ),
    );
  },
};

import { existsByKey } from '../../platform/sql/batched-lookup.ts';
import { type Fragment, type Inserted, sql } from '../../platform/sql/statement.ts';

/** The open dispute `x` of a name, to select from: what every rule and every reading means by it. */
export const disputeInForce = (name: Inserted, now: Inserted): Fragment => sql`
  disputes x where x.name = ${name} and x.closed_at is null and x.starts_at <= ${now} and x.expires_at > ${now}`;

/** Whether a row `d` of domains has one. */
export const isDisputed = (now: Inserted): Fragment =>
  existsByKey(sql`select true from ${disputeInForce(sql`d.name`, now)}`);

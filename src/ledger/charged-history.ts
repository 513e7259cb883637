import { type Fragment, sql } from '../platform/sql/statement.ts';

/**
 * Joins `h`, what was registered or renewed, to an entry `e`; its columns are null where the entry is about something
 * else. The period is the number of calendar months by which the expiry moved.
 */
export const chargedHistory = (timeZone: string): Fragment => sql`
  left join lateral (
    select h.object_name, h.idempotency_key, h.after ->> 'registrant' as registrant,
      (coalesce((h.before ->> 'expire_time')::timestamptz, h.at) at time zone ${timeZone})::date as begins,
      -- a new domain lives until the end of its last day
      ((h.after ->> 'expire_time')::timestamptz at time zone ${timeZone})::date - case h.operation when 'create' then 1 else 0 end as ends
    from history h where h.id = e.history_id and e.operation in ('create', 'renew')) h on true`;

export const CHARGED_MONTHS: Fragment = sql`
  (extract(year from h.ends) * 12 + extract(month from h.ends) - extract(year from h.begins) * 12 - extract(month from h.begins))::int`;

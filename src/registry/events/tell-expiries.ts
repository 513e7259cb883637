import { runTransaction } from '../../operations/in-transaction.ts';
import { insertHistory } from '../../operations/record-history.ts';
import type { Database } from '../../platform/database/database.ts';
import { isNotInSchema } from '../../platform/database/database-errors.ts';
import { PLANNED_ONCE, type Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { registryAuthor } from '../history/read-history.ts';

/** The most that one transaction tells of. */
const BATCH = 250;

/** The last expiry of which was told. Most expiries move by renewal, always beyond it. */
const TOLD = sql`(
  coalesce((select expire_time from expiry_notices), '-infinity'), coalesce((select domain_id from expiry_notices), 0))`;

/** Tells registrars of each expiry once, some days ahead: as a row in history, of which events are made. */
export async function tellExpiries({ writes }: Database, now: Date, policy: Policy): Promise<void> {
  try {
    await bringBack(writes, now, policy);
    while ((await tellSome(writes, now, policy)) === BATCH);
  } catch (error) {
    // The schema of 0.5.0 has no place to note them.
    if (!isNotInSchema(error)) throw error;
  }
}

/** When the next expiry is to be told; undefined if there is none. */
export async function nextExpiryNotice({ reads }: Database, { domains }: Policy): Promise<Date | undefined> {
  const next = await reads.one(sql<{ at: Date | null }>`
    select min(d.expire_time) - make_interval(days => ${domains.expiryNoticeDays}) as at
    from domains d where not d.statuses ? 'expired' and (d.expire_time, d.id) > ${TOLD}`);
  return next.at ?? undefined;
}

/** After a clock that was ahead, what expires from then on is told again, at its time. */
const bringBack = (db: Sql, now: Date, { domains: { expiryNoticeDays } }: Policy): Promise<unknown> =>
  db.run(sql`
    update expiry_notices set expire_time = ${now}::timestamptz + make_interval(days => ${expiryNoticeDays})
    where expire_time > ${now}::timestamptz + make_interval(days => ${expiryNoticeDays + 1})`);

/** Domains that are being deleted, and those that have expired by now, are passed over. */
const tellSome = (pool: Database['writes'], now: Date, { domains }: Policy): Promise<number> =>
  runTransaction(
    pool,
    now,
    async (db) => {
      const { count } = await db.one(sql<{ count: number; unchanged: unknown }>`
        with told as (
          select (select expire_time from expiry_notices) as expire_time, (select domain_id from expiry_notices) as domain_id),
        due as (
          select d.id, d.name, d.registrar_id, d.expire_time, d.statuses from domains d
          where not d.statuses ? 'expired' and (d.expire_time, d.id) > ${TOLD}
            and d.expire_time <= ${now}::timestamptz + make_interval(days => ${domains.expiryNoticeDays})
          order by d.expire_time, d.id limit ${BATCH}),
        moved as (
          insert into expiry_notices (expire_time, domain_id)
          select expire_time, id from due order by expire_time desc, id desc limit 1
          on conflict (is_one) do update set expire_time = excluded.expire_time, domain_id = excluded.domain_id
          where (expiry_notices.expire_time, expiry_notices.domain_id) = (select expire_time, domain_id from told)
          returning domain_id),
        recorded as (${insertHistory(EXPIRING, registryAuthor(now), fromDue(now))})
        select count(*) as count, require_unchanged(count(*) = 0 or exists (select from moved)) as unchanged from due`);
      return count;
    },
    PLANNED_ONCE,
  );

const EXPIRING = {
  objectKind: 'domain',
  objectId: sql`due.id`,
  objectName: sql`due.name`,
  operation: 'expiring',
  sponsorId: sql`due.registrar_id`,
  after: sql`jsonb_build_object('expire_time', due.expire_time, 'statuses', due.statuses, 'nameservers', (
    select coalesce(jsonb_agg(n.hostname order by n.hostname), '[]') from domain_nameservers n where n.domain_id = due.id))`,
};
const fromDue = (now: Date) => sql`
  from due where due.expire_time > ${now} and not due.statuses ?| array['pendingDelete', 'deleteCandidate']
  order by due.expire_time, due.id`;

import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';

/** Those who can have acted for a registrar. */
export type Actors = { readonly users: readonly string[]; readonly people: readonly string[] };

export const listActors = (db: Sql, { registrarId }: RegistrarScope): Promise<Actors> =>
  db.one(sql<Actors>`
    select array(select username from api_users where registrar_id = ${registrarId} order by username) as users, array(
      select p.email from memberships m join people p on p.id = m.person_id where m.registrar_id = ${registrarId} order by p.email) as people`);

/** The calls of a day; written yyyy-mm-dd. */
export type CallDay = { readonly day: string; readonly calls: number; readonly failed: number };
export type CallCount = {
  readonly username: string;
  readonly interface: 'http' | 'epp';
  readonly call: string;
  readonly result: number;
  readonly calls: number;
};

/** Half-open. */
type Period = { readonly from: Date; readonly before: Date };
/** A user whose calls alone count; undefined for all. */
type User = string | undefined;

/** Days with calls, newest first, in the zone of the registry. */
export const listCallDays = (
  db: Sql,
  period: Period,
  user: User,
  timeZone: string,
  scope: RegistrarScope,
): Promise<CallDay[]> =>
  // By hour first: naming the day of every row would cost most of the time.
  db.rows(sql<CallDay>`
    select to_char(hours.hour at time zone ${timeZone}, 'YYYY-MM-DD') as day, sum(hours.calls)::bigint as calls, sum(hours.failed)::bigint as failed
    from (
      select c.hour, sum(c.calls) as calls,
        coalesce(sum(c.calls) filter (where not (c.result between 200 and 399 or c.result between 1000 and 1999)), 0) as failed
      from api_calls c where ${within(period, user, scope)} group by c.hour
    ) as hours group by 1 order by 1 desc`);

/** Per user, call and result, the most frequent first. */
export const listCallCounts = (
  db: Sql,
  period: Period,
  user: User,
  limit: number,
  scope: RegistrarScope,
): Promise<CallCount[]> =>
  db.rows(sql<CallCount>`
    select u.username, c.interface, c.call, c.result, c.calls from (
      select c.user_id, c.interface, c.call, c.result, sum(c.calls)::bigint as calls
      from api_calls c where ${within(period, user, scope)} group by 1, 2, 3, 4
    ) as c join api_users u on u.id = c.user_id
    order by c.calls desc, u.username, c.interface, c.call, c.result limit ${limit}`);

const within = ({ from, before }: Period, user: User, { registrarId }: RegistrarScope): Fragment => sql`
  c.registrar_id = ${registrarId} and c.hour >= ${from} and c.hour < ${before}
  and (${user ?? null}::text is null or c.user_id = (select id from api_users where username = ${user ?? null} and registrar_id = ${registrarId}))`;

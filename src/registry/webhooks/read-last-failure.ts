import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { RegistrarScope } from '../actor.ts';

/** Why the attempts for an endpoint fail, and how it goes on. */
export type LastFailure = {
  readonly lastStatus: number | null;
  readonly lastError: string;
  /** Null if nothing waits, or if nothing is sent to a disabled endpoint. */
  readonly nextAttemptAt: Date | null;
  /** Events that wait, counted to a bound. */
  readonly waiting: number;
};

/** Deliveries that are waiting or failed are looked through to these numbers. */
export const MAX_WAITING_COUNTED = 1_000;
const MAX_READ = 100;

/** Undefined where no attempt has failed in the time for which deliveries are kept. */
export const readLastFailure = (
  db: Sql,
  id: string,
  { registrarId }: RegistrarScope,
): Promise<LastFailure | undefined> =>
  db.maybe(sql<LastFailure>`
    select failure.last_status as "lastStatus", failure.last_error as "lastError",
      case when e.disabled_at is null then greatest(e.paused_until, (
        select min(d.next_attempt_at) from webhook_deliveries d where d.endpoint_id = e.id and d.next_attempt_at is not null)) end as "nextAttemptAt",
      (select count(*)::int from (
        select from webhook_deliveries d where d.endpoint_id = e.id and d.next_attempt_at is not null
        limit ${MAX_WAITING_COUNTED + 1}::bigint) as counted) as waiting
    from webhook_endpoints e cross join lateral (
      select * from (
        (select d.last_status, d.last_error, d.last_attempt_at from webhook_deliveries d
          where d.endpoint_id = e.id and d.next_attempt_at is not null order by d.next_attempt_at desc limit ${MAX_READ}::bigint)
        union all
        (select d.last_status, d.last_error, d.last_attempt_at from webhook_deliveries d
          where d.endpoint_id = e.id and d.state = 'failed' order by d.created_at desc limit ${MAX_READ}::bigint)) as recent
      where recent.last_error is not null order by recent.last_attempt_at desc limit 1) as failure
    where e.public_id = ${id} and e.registrar_id = ${registrarId}`);

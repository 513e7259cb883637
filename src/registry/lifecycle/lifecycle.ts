import type { Database } from '../../platform/sql/database.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { dayOf } from '../domains/periods.ts';
import { endDisputes } from './end-disputes.ts';
import { expire, remind } from './expire.ts';
import { hold, warn } from './force-delete.ts';
import { lapse } from './lapse.ts';
import { outzone } from './outzone.ts';
import { purge } from './purge.ts';
import { release, releaseForced } from './release.ts';
import { type Moment, type Step, takeStep } from './step.ts';

/** In the order in which a domain takes them. */
const STEPS: readonly Step[] = [expire, remind, outzone, warn, hold, release, releaseForced];

export const momentOf = (now: Date, policy: Policy): Moment => ({ now, policy, today: dayOf(now, policy) });

/** Takes every step that is due at `now`, batch after batch. A run that is cut off is made good by the next. */
export async function runLifecycle(database: Database, now: Date, policy: Policy): Promise<void> {
  const moment = momentOf(now, policy);
  await untilNoneIsDue(() => lapse(database, moment));
  await untilNoneIsDue(() => endDisputes(database, moment));
  for (const step of STEPS) await untilNoneIsDue(() => takeStep(database, step, moment));
  await untilNoneIsDue(() => purge(database, moment));
}

async function untilNoneIsDue(takeSome: () => Promise<number>): Promise<void> {
  while ((await takeSome()) > 0);
}

/** When the next domain is due for something; undefined when none ever will be. */
export async function nextDue({ reads: db }: Database, policy: Policy): Promise<Date | undefined> {
  const times = [
    ...STEPS.map((step) => step.next(policy)),
    sql`(select min(purge_at) from domains where purge_at is not null)`,
    sql`(select min(expires_at) from disputes where closed_at is null)`,
    sql`(select min(lapses_at) from registrant_requests where closed_at is null)`,
  ];
  const [row] = await db.rows(sql<{ at: Date | null }>`
    select least(${times.reduce((all, time) => sql`${all}, ${time}`)}) as at`);
  return row?.at ?? undefined;
}

import {
  checkLimit,
  type LimitedStep,
  recordStops,
  recordTaken,
  type StepLoad,
} from '../../platform/jobs/job-limits.ts';
import type { Database } from '../../platform/sql/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { dayOf } from '../domains/periods.ts';
import { expire, outzone, remind } from './expire.ts';
import { hold, warn } from './force-delete.ts';
import { endDisputes, lapse } from './lapse.ts';
import { duePurge, purge } from './purge.ts';
import { release, releaseForced } from './release.ts';
import { type Moment, type RecordTaken, type Step, takeStep } from './step.ts';

/** In the order in which a domain passes through them. */
const STEPS: readonly Step[] = [expire, remind, outzone, warn, hold, release, releaseForced];

export const momentOf = (now: Date, policy: Policy): Moment => ({ now, policy, today: dayOf(now, policy) });

/**
 * Takes every step due at `now`, in batches; an interrupted run is completed by the next. If one limited step exceeds its
 * daily limit, no limited step is taken, since they may share the cause. Returns the steps that newly exceed their limit.
 */
export async function runLifecycle(
  database: Database,
  now: Date,
  policy: Policy,
  isLimited: boolean,
): Promise<readonly StepLoad[]> {
  const moment = momentOf(now, policy);
  const stops = isLimited ? await checkLifecycleLimits(database.lists, moment) : [];
  const take = async (name: LimitedName | undefined, takeSome: TakeSome) => {
    if (!isLimited || name === undefined) return untilNoneIsDue(() => takeSome());
    // Overdue domains may become due for the next step in the same run, so each limit is checked again before its step.
    if (stops.length === 0) stops.push(...(await checkLifecycleLimits(database.lists, moment, name)));
    if (stops.length > 0) return;
    const step = { job: LIFECYCLE_JOB, step: name };
    await untilNoneIsDue(() => takeSome((db, count) => recordTaken(db, step, count, now)));
  };
  await untilNoneIsDue(() => lapse(database, moment));
  await untilNoneIsDue(() => endDisputes(database, moment));
  for (const step of STEPS)
    await take(limitedNameOf(step), (record) => takeStep(database, step, moment, record));
  await take('delete domains', (record) => purge(database, moment, record));
  return isLimited ? recordStops(database.writes, LIFECYCLE_JOB, stops, now) : [];
}

type TakeSome = (record?: RecordTaken) => Promise<number>;

/** The limited steps (or the named one) that exceed their daily limit. */
export async function checkLifecycleLimits(db: Sql, moment: Moment, name?: LimitedName): Promise<StepLoad[]> {
  const found: StepLoad[] = [];
  for (const step of limitedSteps(moment)) {
    if (name !== undefined && step.step !== name) continue;
    const load = await checkLimit(db, step, moment.policy.dailyLimit, moment.now);
    if (load) found.push(load);
  }
  return found;
}

async function untilNoneIsDue(takeSome: () => Promise<number>): Promise<void> {
  while ((await takeSome()) > 0);
}

/** When the next domain is due for a step; undefined if none is. */
export async function nextDue({ reads: db }: Database, policy: Policy): Promise<Date | undefined> {
  const times = [
    ...STEPS.map((step) => step.next(policy)),
    sql`(select min(purge_at) from domains where purge_at is not null)`,
    sql`(select min(expires_at) from disputes where closed_at is null)`,
    sql`(select min(expires_at) from registrant_requests where closed_at is null)`,
  ];
  const row = await db.one(sql<{ at: Date | null }>`
    select least(${times.reduce((all, time) => sql`${all}, ${time}`)}) as at`);
  return row.at ?? undefined;
}

export const LIFECYCLE_JOB = 'domain lifecycle';

/** The steps by which a registrant loses something; reminders and warnings are not limited. */
export type LimitedName = 'expire domains' | 'hold domains' | 'release domains' | 'delete domains';

const LIMITED: readonly (readonly [LimitedName, readonly Step[]])[] = [
  ['expire domains', [expire]],
  ['hold domains', [outzone, hold]],
  ['release domains', [release, releaseForced]],
];

const limitedNameOf = (step: Step): LimitedName | undefined =>
  LIMITED.find(([, steps]) => steps.includes(step))?.[0];

function limitedSteps(moment: Moment): LimitedStep[] {
  const common = { job: LIFECYCLE_JOB, table: sql`domains` };
  return [
    ...LIMITED.map(([step, steps]) => ({
      ...common,
      step,
      due: steps.map((one) => dueDomains(one.due(moment))),
    })),
    // Deletes only what was released within the last day, which was within the limit or approved.
    {
      ...{ ...common, step: 'delete domains', follows: 'release domains' },
      due: [dueDomains(duePurge(moment))],
    },
  ];
}

const dueDomains = (due: Fragment): Fragment => sql`select from domains d where ${due}`;

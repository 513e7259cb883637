import {
  checkLimit,
  type LimitedStep,
  recordStepCount,
  recordStops,
  type StepLoad,
} from '../../platform/jobs/job-limits.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { dayOf } from '../domains/rules/periods.ts';
import { expire, outzone, remind } from './expire-domains.ts';
import { expireDisputes, expiredDisputes, expireRequests, lapsedRequests } from './expire-requests.ts';
import { hold, warn } from './force-delete-steps.ts';
import { duePurge, purge } from './purge-domains.ts';
import { release, releaseForced } from './release-domains.ts';
import { BATCH, type RecordStepCount, runStep, type Step, type StepContext } from './run-step.ts';
import { takeBatches } from './take-batches.ts';

/** In the order in which a domain passes through them. */
const STEPS: readonly Step[] = [expire, remind, outzone, warn, hold, release, releaseForced];

export const stepContextOf = (now: Date, policy: Policy): StepContext => ({
  now,
  policy,
  today: dayOf(now, policy),
});

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
  const context = stepContextOf(now, policy);
  const stops = isLimited ? await checkLifecycleLimits(database.lists, context) : [];
  const isStopped = async (name: LimitedName | undefined): Promise<boolean> => {
    if (!isLimited || name === undefined) return false;
    // Overdue domains may become due for the next step in the same run, so each limit is checked again before its step.
    if (stops.length === 0) stops.push(...(await checkLifecycleLimits(database.lists, context, name)));
    return stops.length > 0;
  };
  const recordOf = (name: LimitedName | undefined): RecordStepCount | undefined =>
    isLimited && name !== undefined
      ? (db, count) => recordStepCount(db, { job: LIFECYCLE_JOB, step: name }, count, now)
      : undefined;
  const tasks = tasksOf(database, context);
  let due = await findDue(database.lists, tasks);
  for (const [place, { limitedName, takeSome }] of tasks.entries()) {
    if (!due[place] || (await isStopped(limitedName))) continue;
    const record = recordOf(limitedName);
    // Nothing is taken where others have locked all that is due.
    while (due[place] && (await takeBatches(() => takeSome(record), BATCH)) > 0)
      due = await findDue(database.lists, tasks);
  }
  return isLimited ? recordStops(database.writes, LIFECYCLE_JOB, stops, now) : [];
}

type Task = {
  readonly limitedName?: LimitedName | undefined;
  /** A query that returns rows while anything is due. */
  readonly due: Fragment;
  /** Does one batch of what is due, and returns the number. */
  readonly takeSome: (record?: RecordStepCount) => Promise<number>;
};

const tasksOf = (database: Database, context: StepContext): readonly Task[] => [
  {
    limitedName: 'lapse requests',
    due: lapsedRequests(context),
    takeSome: (record) => expireRequests(database, context, record),
  },
  {
    limitedName: 'end disputes',
    due: expiredDisputes(context),
    takeSome: (record) => expireDisputes(database, context, record),
  },
  ...STEPS.map((step) => ({
    limitedName: limitedNameOf(step),
    due: dueDomains(step.due(context)),
    takeSome: (record?: RecordStepCount) => runStep(database, step, context, record),
  })),
  {
    limitedName: 'delete domains',
    due: dueDomains(duePurge(context)),
    takeSome: (record) => purge(database, context, record),
  },
];

/** One statement tells which tasks have work, in their order: most runs have none, and each task is a transaction. */
async function findDue(db: Sql, tasks: readonly Task[]): Promise<readonly boolean[]> {
  const each = tasks.map(({ due }) => sql`exists (${due})`).reduce((all, one) => sql`${all}, ${one}`);
  return (await db.one(sql<{ due: boolean[] }>`select array[${each}] as due`)).due;
}

/** The limited steps (or the named one) that exceed their daily limit. */
export async function checkLifecycleLimits(
  db: Sql,
  context: StepContext,
  name?: LimitedName,
): Promise<StepLoad[]> {
  const found: StepLoad[] = [];
  for (const step of limitedSteps(context)) {
    if (name !== undefined && step.step !== name) continue;
    const load = await checkLimit(db, step, context.policy.dailyLimit, context.now);
    if (load) found.push(load);
  }
  return found;
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

/** The steps that end something for a registrant; reminders and warnings are not limited. */
export type LimitedName =
  | 'expire domains'
  | 'hold domains'
  | 'release domains'
  | 'delete domains'
  | 'lapse requests'
  | 'end disputes';

const LIMITED: readonly (readonly [LimitedName, readonly Step[]])[] = [
  ['expire domains', [expire]],
  ['hold domains', [outzone, hold]],
  ['release domains', [release, releaseForced]],
];

const limitedNameOf = (step: Step): LimitedName | undefined =>
  LIMITED.find(([, steps]) => steps.includes(step))?.[0];

function limitedSteps(context: StepContext): LimitedStep[] {
  const common = { job: LIFECYCLE_JOB, table: sql`domains` };
  return [
    ...LIMITED.map(([step, steps]) => ({
      ...common,
      step,
      due: steps.map((one) => dueDomains(one.due(context))),
    })),
    // Deletes only what was released within the last day, which was within the limit or approved.
    {
      ...common,
      step: 'delete domains',
      follows: 'release domains',
      due: [dueDomains(duePurge(context))],
    },
    {
      job: LIFECYCLE_JOB,
      step: 'lapse requests',
      table: sql`registrant_requests`,
      due: [lapsedRequests(context)],
    },
    {
      job: LIFECYCLE_JOB,
      step: 'end disputes',
      table: sql`disputes`,
      due: [expiredDisputes(context)],
    },
  ];
}

const dueDomains = (due: Fragment): Fragment => sql`select from domains d where ${due}`;

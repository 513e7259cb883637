import { type OperatorDescription, operatorTransaction } from '../operations/operator-operation.ts';
import { insertHistory } from '../operations/record-history.ts';
import { approveSteps, type StepLoad } from '../platform/jobs/job-limits.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { refuse } from './operator-refusals.ts';

export const APPROVE_JOB = {
  name: 'approve job',
  right: 'operation',
  refusals: ['jobUnlimited', 'nothingToApprove'],
} as const satisfies OperatorDescription;

/** The steps of a job that would do more than policy allows in a day. */
export type CheckLimits = (db: Sql, now: Date) => Promise<StepLoad[]>;

/** By the name of the job. */
export type Limits = ReadonlyMap<string, CheckLimits>;

type Approval = {
  readonly job: string;
  /** What the operator has seen: no more than that is approved. Counted unless given, as for a dry run that shows it. */
  readonly loads?: readonly StepLoad[];
};

/** Lets a job that has stopped do what is due, though policy allows less in a day. Answers what is approved. */
export const approveJob = (limits: Limits) =>
  operatorTransaction(APPROVE_JOB, {
    async transact(db, { job, loads: seen }: Approval, context) {
      const { actor, now, reason } = context;
      const check = limits.get(job);
      if (!check) return refuse('jobUnlimited', { job, known: [...limits.keys()].join(', ') });
      const loads = seen ?? (await check(db, now));
      if (loads.length === 0) refuse('nothingToApprove', { job });
      await approveSteps(db, loads, { by: actor, at: now, reason: reason?.text });
      const entry = {
        objectKind: 'job',
        objectId: 0,
        objectName: job,
        operation: 'approve job',
        registrarId: null,
        after: Object.fromEntries(loads.map(({ step, due }) => [step, due])),
      };
      await db.run(insertHistory(entry, context, sql``));
      return { job, loads };
    },
  });

import { runTransaction } from '../../operations/in-transaction.ts';
import type { Database } from '../../platform/database/database.ts';
import { PLANNED_ONCE, type Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Domain } from '../domains/domain.ts';
import { type DomainChange, persistChanges } from '../domains/persist-domains.ts';
import { readLocked } from '../domains/readings/read-locked.ts';
import { registryAuthor } from '../history/read-history.ts';

export type StepContext = { readonly now: Date; readonly policy: Policy; readonly today: string };

/** One step in the lifecycle of a domain, taken for all domains that are due. */
export type Step = {
  readonly name: string;
  /** A condition on a row `d` of domains, backed by an index; false once the step was taken. */
  due(context: StepContext): Fragment;
  /** When the next domain is due, as an SQL expression. */
  next(policy: Policy): Fragment;
  /** A pure function; `chance` is a random number from 0 to 1. */
  decide(domain: Domain, context: StepContext, chance: number): DomainChange;
};

/** The most that one transaction takes. */
export const BATCH = 250;

/** Counts what a limited step has done, in the same transaction. */
export type RecordStepCount = (db: Sql, count: number) => Promise<void>;

/**
 * Takes the step for one batch of due domains in one transaction; returns their number. Rows locked by others are
 * skipped, so that several processes can run this concurrently.
 */
export function runStep(
  { writes }: Database,
  step: Step,
  context: StepContext,
  record?: RecordStepCount,
): Promise<number> {
  return runTransaction(
    writes,
    context.now,
    async (db) => {
      const domains = await lockDue(db, step.due(context), context.now);
      const changes = domains.map((domain) => step.decide(domain, context, Math.random()));
      await persistChanges(db, changes, registryAuthor(context.now));
      await record?.(db, changes.length);
      return changes.length;
    },
    PLANNED_ONCE,
  );
}

/** Locks first and reads in a second statement; see lockRows. */
export async function lockDue(db: Sql, due: Fragment, now: Date): Promise<Domain[]> {
  const rows = await db.rows(sql<{ id: number }>`
    select d.id from domains d where ${due} limit ${BATCH} for update of d skip locked`);
  return readLocked(
    db,
    rows.map(({ id }) => id),
    now,
  );
}

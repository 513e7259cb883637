import { runTransaction } from '../../operations/in-transaction.ts';
import type { Database } from '../../platform/sql/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Domain } from '../domains/domain.ts';
import { readLocked } from '../domains/load.ts';
import { type Change, persistChanges } from '../domains/persist.ts';
import { registryAuthor } from '../history/history.ts';

export type Moment = { readonly now: Date; readonly policy: Policy; readonly today: string };

/** One step in the lifecycle of a domain, taken for all domains that are due. */
export type Step = {
  readonly name: string;
  /** A condition on a row `d` of domains, backed by an index; false once the step was taken. */
  due(moment: Moment): Fragment;
  /** When the next domain is due, as an SQL expression. */
  next(policy: Policy): Fragment;
  /** A pure function; `chance` is a random number from 0 to 1. */
  decide(domain: Domain, moment: Moment, chance: number): Change;
};

const BATCH = 500;

/** Counts what a limited step has done, in the same transaction. */
export type RecordTaken = (db: Sql, count: number) => Promise<void>;

/**
 * Takes the step for one batch of due domains in one transaction; returns their number. Rows locked by others are
 * skipped, so that several processes can run this concurrently.
 */
export function takeStep(
  { writes }: Database,
  step: Step,
  moment: Moment,
  record?: RecordTaken,
): Promise<number> {
  return runTransaction(writes, moment.now, async (db) => {
    const domains = await lockDue(db, step.due(moment), moment.now);
    const changes = domains.map((domain) => step.decide(domain, moment, Math.random()));
    await persistChanges(db, changes, registryAuthor(moment.now));
    await record?.(db, changes.length);
    return changes.length;
  });
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

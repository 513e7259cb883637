import { runTransaction } from '../../operations/in-transaction.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { OperatorChange } from '../operator-change.ts';
import type { DecisionContext, Domain } from './domain.ts';
import { lockRows } from './load.ts';
import { type DomainChange, persistChanges } from './persist.ts';
import { readLocked } from './read-locked.ts';

type Decide = (domain: Domain, context: DecisionContext) => DomainChange;

/** A change of one domain by an operator. Returns the changed domain; undefined if there is none. */
export function changeByOperator(
  pool: Pool,
  name: string,
  decide: Decide,
  { actor, at: now, reason }: OperatorChange,
  policy: Policy,
): Promise<Domain | undefined> {
  return runTransaction(pool, now, async (db) => {
    const [domain] = await readLocked(db, await lockRows(db, sql`d.name = ${name}`), now);
    if (!domain) return undefined;
    const change = decide(domain, { now, policy });
    await persistChanges(db, [change], {
      actor,
      registrarId: null,
      requestId: null,
      reason: { text: reason },
      now,
    });
    return change.after;
  });
}

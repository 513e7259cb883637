import { runTransaction } from '../../operations/in-transaction.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Change as OperatorChange } from '../registrars/operator.ts';
import type { Domain } from './domain.ts';
import { lockRows, readLocked } from './load.ts';
import { type Change, persistChanges } from './persist.ts';

export type Moment = { readonly now: Date; readonly policy: Policy };
type Decide = (domain: Domain, moment: Moment) => Change;

/** A change of one domain by the registry's operator. The domain as it is then; undefined when there is none. */
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
    const why = reason === undefined ? {} : { reason };
    await persistChanges(db, [change], { actor, registrarId: null, requestId: null, now, ...why });
    return change.after;
  });
}

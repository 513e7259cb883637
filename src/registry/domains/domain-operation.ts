import { runTransaction } from '../../operations/in-transaction.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Context, Operation } from '../operation.ts';
import type { OperatorChange } from '../registrars/registrars.ts';
import type { Domain } from './domain.ts';
import { type FoundDomain, loadDomain, lockRows, requireSponsoredDomain } from './load.ts';
import { type DomainChange, type DomainChangePlan, persistChange, persistChanges } from './persist.ts';
import { readLocked } from './read-locked.ts';

/** An operation on one domain of the caller that loads only the domain; operations differ in their decision. */
export function domainOperation<Input extends { readonly name: string }>(
  decide: (domain: Domain, input: Input, context: Context, found: FoundDomain) => DomainChangePlan,
): Operation<Input, FoundDomain, DomainChangePlan> {
  return {
    load: (db, { name }, context) => loadDomain(db, name, context),
    decide: (found, input, context) => decide(requireSponsoredDomain(found, context), input, context, found),
    persist: persistChange,
  };
}

export const named = ({ name }: Domain): { domain: { name: string } } => ({ domain: { name } });

/** The answer while the registrant's confirmation is pending. */
export const pending = ({ name }: Domain): { domain: { name: string; pending: true } } => ({
  domain: { name, pending: true },
});

/** Whether an operation has answered that the registrant must confirm first. */
export const isPending = (answer: object): boolean =>
  'domain' in answer &&
  typeof answer.domain === 'object' &&
  answer.domain !== null &&
  'pending' in answer.domain;

export type DecisionContext = { readonly now: Date; readonly policy: Policy };
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
    const withReason = reason === undefined ? {} : { reason };
    await persistChanges(db, [change], { actor, registrarId: null, requestId: null, now, ...withReason });
    return change.after;
  });
}

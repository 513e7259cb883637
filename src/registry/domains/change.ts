import type { Context, Operation } from '../operation.ts';
import type { Domain } from './domain.ts';
import { type FoundDomain, loadDomain, refuseUnlessSponsor } from './load.ts';
import { type DomainChange, persistChange } from './persist.ts';

/** An operation on one domain of the caller that needs nothing but the domain: the decision is all that differs. */
export function domainOperation<Input extends { readonly name: string }>(
  decide: (domain: Domain, input: Input, context: Context, found: FoundDomain) => DomainChange,
): Operation<Input, FoundDomain, DomainChange> {
  return {
    load: (db, { name }, context) => loadDomain(db, name, context),
    decide: (found, input, context) => decide(refuseUnlessSponsor(found, context), input, context, found),
    persist: persistChange,
  };
}

export const named = ({ name }: Domain): { domain: { name: string } } => ({ domain: { name } });

/** The answer where the registrant is asked first. */
export const pending = ({ name }: Domain): { domain: { name: string; pending: true } } => ({
  domain: { name, pending: true },
});

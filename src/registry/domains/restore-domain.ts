import { refuse } from '../operator-refusals.ts';
import { message } from '../poll/send-messages.ts';
import type { DecisionContext, Domain } from './domain.ts';
import { domainByOperator, statusesOf } from './domain-by-operator.ts';
import { withoutForceDelete } from './rules/force-delete.ts';
import { withoutHold } from './rules/hold-causes.ts';
import { dayAfter, daysLater } from './rules/periods.ts';
import type { DomainChange } from './persist-domains.ts';
import { withoutStatus } from './rules/domain-statuses.ts';

/** Keeps a domain that was deleted or is about to be. */
export const restoreDomain = domainByOperator(
  { name: 'restore domain', refusals: ['domainNotLeaving'] },
  (domain, _: { readonly name: string }, context) => decideRestoration(domain, context),
  statusesOf,
);

/**
 * If it has expired, its dates are computed from now. A force delete that was about to be executed is lifted, since it
 * would delete the domain again the same day; one whose date is still ahead stays, if only a deletion by the registrar
 * is undone.
 */
export function decideRestoration(domain: Domain, { now, policy }: DecisionContext): DomainChange {
  const { name, statuses } = domain;
  if (!('pendingDelete' in statuses) && !('deleteCandidate' in statuses))
    refuse('domainNotLeaving', { name });
  const lifted = 'deleteCandidate' in statuses && domain.forceDelete !== null;
  const free = withoutHold(lifted ? withoutForceDelete(domain) : domain, 'expiry');
  const { expiryGraceDays, redemptionDays } = policy.domains;
  const expired = 'expired' in statuses;
  return {
    operation: 'restore',
    before: domain,
    after: {
      ...free,
      statuses: withoutStatus(free.statuses, 'pendingDelete', 'deleteCandidate'),
      purgeAt: null,
      outzoneAt: expired ? daysLater(now, expiryGraceDays, policy) : null,
      deleteDate: expired ? dayAfter(now, expiryGraceDays + redemptionDays, policy) : null,
    },
    messages: [message('restored', domain), ...(lifted ? [message('force_delete_lifted', domain)] : [])],
  };
}

import { refuse } from '../operator-refusals.ts';
import { message } from '../poll/send-messages.ts';
import { withoutOwnership, withoutOwnStatus } from './change-status.ts';
import type { DecisionContext, Domain } from './domain.ts';
import { domainByOperator, statusesOf } from './domain-by-operator.ts';
import { isOutOfZone, withHold, withoutHold } from './rules/hold-causes.ts';
import type { DomainChange } from './persist-domains.ts';
import type { ServerStatus } from './set-server-status.ts';

/** Removes a status of the registry; the sponsor is notified. */
export const cancelServerStatus = domainByOperator(
  { name: 'cancel status', refusals: ['statusNotSet', 'heldByExpiry'] },
  (domain, { status }: { readonly name: string; readonly status: ServerStatus }, context) =>
    decideStatusEnd(domain, status, context),
  statusesOf,
);

export function decideStatusEnd(
  domain: Domain,
  status: ServerStatus,
  context: DecisionContext,
): DomainChange {
  if (!(status in domain.statuses)) refuse('statusNotSet', { name: domain.name, status });
  if (status === 'serverHold') return endHold(domain, context);
  return {
    operation: `cancel ${status}`,
    before: domain,
    after: withoutOwnStatus(domain, status),
    messages: [message('status_cancelled', { ...domain, status })],
  };
}

/** Ends what the registry holds. The domain stays held if that has another cause, or if its dates have taken it out of the zone meanwhile. */
function endHold(domain: Domain, { now }: DecisionContext): DomainChange {
  // Until another cause exists, what is not the registry's is expiry's.
  if (!domain.holdCauses.includes('registry')) refuse('heldByExpiry', { name: domain.name });
  const free = withoutHold(
    { ...domain, forceDelete: withoutOwnership(domain.forceDelete, 'serverHold') },
    'registry',
  );
  const isFree = !('serverHold' in free.statuses);
  const isLeaving = isFree && isOutOfZone(domain, now);
  return {
    operation: 'cancel serverHold',
    before: domain,
    after: isLeaving ? withHold(free, 'expiry') : free,
    messages: isLeaving
      ? [message('outzoned', domain)]
      : isFree
        ? [message('status_cancelled', { ...domain, status: 'serverHold' })]
        : [],
  };
}

import { message } from '../poll/texts.ts';
import { refuse } from '../refusals.ts';
import type { Moment } from './by-operator.ts';
import type { Domain } from './domain.ts';
import { withoutForceDelete } from './force-delete.ts';
import { dayAfter, daysLater } from './periods.ts';
import type { Change } from './persist.ts';
import { withoutStatus } from './statuses.ts';

/**
 * The operator keeps a domain that was on its way out. One that has expired gets its days anew, counted from now.
 * A force delete that was about to be carried out ends: it would take the domain again the same day. One that still
 * has its days before it stays, where only a deletion by the registrar is taken back.
 */
export function restoreDomain(domain: Domain, { now, policy }: Moment): Change {
  const { statuses } = domain;
  if (!('pendingDelete' in statuses) && !('deleteCandidate' in statuses)) refuse('statusProhibits');
  const lifted = 'deleteCandidate' in statuses && domain.forceDelete !== null;
  const { statuses: free, forceDelete } = lifted ? withoutForceDelete(domain) : domain;
  const { expiryGraceDays, redemptionDays } = policy.domains;
  const expired = 'expired' in statuses;
  const kept = withoutStatus(free, 'pendingDelete', 'deleteCandidate');
  return {
    operation: 'restore',
    before: domain,
    after: {
      ...domain,
      forceDelete,
      statuses: kept.serverHold === '' ? withoutStatus(kept, 'serverHold') : kept,
      purgeAt: null,
      outzoneAt: expired ? daysLater(now, expiryGraceDays, policy) : null,
      deleteDate: expired ? dayAfter(now, expiryGraceDays + redemptionDays, policy) : null,
    },
    messages: [message('restored', domain), ...(lifted ? [message('force_delete_lifted', domain)] : [])],
  };
}

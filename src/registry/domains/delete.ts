import { sameCode } from '../access/wrong-codes.ts';
import type { Context, Operation } from '../operation.ts';
import { message } from '../poll/messages.ts';
import { refuse } from '../refusals.ts';
import { askRegistrant } from '../requests/ask-registrant.ts';
import { newRequestToken, type RequestToken } from '../requests/request-store.ts';
import { type Moment, named, pending } from './change.ts';
import type { Domain } from './domain.ts';
import { withoutForceDelete } from './force-delete.ts';
import { type FoundDomain, loadDomain, requireSponsoredDomain } from './load.ts';
import { dayAfter, daysLater } from './periods.ts';
import { type Change, type DomainChange, persistChange } from './persist.ts';
import { requireNotProhibited, withoutStatus, withStatus } from './statuses.ts';

export type Deletion = {
  readonly name: string;
  readonly verified: boolean;
  readonly authCode: string | undefined;
};

type Loaded = FoundDomain & { readonly token: RequestToken };

/** Vouched for by the registrar: done at once. Otherwise the registrant is asked. */
export const deleteDomain: Operation<Deletion, Loaded, DomainChange> = {
  load: async (db, { name }, context) => ({
    ...(await loadDomain(db, name, context)),
    token: newRequestToken(),
  }),

  decide(loaded, { verified, authCode }, context) {
    const domain = requireSponsoredDomain(loaded, context);
    if (authCode !== undefined && !sameCode(authCode, domain.transferCode))
      refuse('wrongCode', { what: 'Auth-Code', field: 'Auth-Code' });
    requireNotProhibited('delete', domain.statuses);
    if (domain.disputed) refuse('statusProhibits');
    if (verified)
      return {
        answer: named(domain),
        operation: 'delete',
        before: domain,
        after: deletedDomain(domain, context),
      };
    return { answer: pending(domain), ...askRegistrant(domain, { kind: 'deletion' }, loaded.token, context) };
  },

  persist: persistChange,
};

/** Out of the zone now, gone after the redemption period; a renewal brings it back until then. */
export function deletedDomain(domain: Domain, { now, policy }: Pick<Context, 'now' | 'policy'>): Domain {
  const marked = withStatus(domain.statuses, 'pendingDelete');
  const statuses = 'serverManualInzone' in marked ? marked : withStatus(marked, 'serverHold');
  return {
    ...domain,
    statuses,
    outzoneAt: now,
    deleteDate: dayAfter(now, policy.domains.redemptionDays + 1, policy),
  };
}

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

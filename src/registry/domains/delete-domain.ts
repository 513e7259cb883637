import { type Refusal, requireNone } from '../../operations/refusal.ts';
import { sameCode } from '../access/wrong-transfer-codes.ts';
import type { Operation } from '../operation.ts';
import { requestConfirmation } from '../requests/request-confirmation.ts';
import { newRequestToken, type RequestToken } from '../requests/request-store.ts';
import { changed, type DecisionContext, type Domain, waiting } from './domain.ts';
import { refuse } from './rules/domain-refusals.ts';
import { withHold } from './rules/hold-causes.ts';
import { type FoundDomain, loadDomain, requireSponsoredDomain } from './readings/load-domain.ts';
import { dayAfter } from './rules/periods.ts';
import { type DomainChangePlan, persistChange } from './persist-domains.ts';
import { checkDisputed, checkProhibited, withStatus } from './rules/domain-statuses.ts';

export type Deletion = {
  readonly name: string;
  readonly verified: boolean;
  readonly transferCode: string | undefined;
};

type Loaded = FoundDomain & { readonly token: RequestToken };

/** Immediate if the registrar has verified it; otherwise the registrant must confirm. */
export const deleteDomain: Operation<Deletion, Loaded, DomainChangePlan> = {
  load: async (db, { name }, context) => ({
    ...(await loadDomain(db, name, context)),
    token: newRequestToken(),
  }),

  decide(loaded, { verified, transferCode }, context) {
    const domain = requireSponsoredDomain(loaded, context);
    if (transferCode !== undefined && !sameCode(transferCode, domain.transferCode))
      refuse('wrongCode', { at: ['transferCode'] });
    requireNone(checkDeletion(domain));
    if (verified)
      return {
        answer: changed(domain),
        operation: 'delete',
        before: domain,
        after: deletedDomain(domain, context),
      };
    return {
      answer: waiting(domain),
      ...requestConfirmation(domain, { kind: 'deletion' }, loaded.token, context),
    };
  },

  persist: persistChange,
};

export function checkDeletion({ statuses, disputed }: Pick<Domain, 'statuses' | 'disputed'>): Refusal[] {
  const prohibited = checkProhibited('delete', statuses);
  return prohibited.length > 0 ? prohibited : checkDisputed(disputed);
}

/** The day on which a domain is deleted that leaves the zone now. */
export const deletionDay = ({ now, policy }: DecisionContext): string =>
  dayAfter(now, policy.domains.redemptionDays + 1, policy);

/** Leaves the zone now and is deleted after the redemption period; until then a renewal restores it. */
export function deletedDomain(domain: Domain, context: DecisionContext): Domain {
  const held = 'serverManualInzone' in domain.statuses ? domain : withHold(domain, 'expiry');
  return {
    ...held,
    statuses: withStatus(held.statuses, 'pendingDelete'),
    outzoneAt: context.now,
    deleteDate: deletionDay(context),
  };
}

import { sameCode } from '../access/wrong-codes.ts';
import type { Context, Operation } from '../operation.ts';
import { refuse } from '../refusals.ts';
import { askRegistrant } from '../requests/ask.ts';
import { newRequestToken, type RequestToken } from '../requests/store.ts';
import { named, pending } from './change.ts';
import type { Domain } from './domain.ts';
import { type FoundDomain, loadDomain, refuseUnlessSponsor } from './load.ts';
import { dayAfter } from './periods.ts';
import { type DomainChange, persistChange } from './persist.ts';
import { refuseIfProhibited, withStatus } from './statuses.ts';

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
    const domain = refuseUnlessSponsor(loaded, context);
    if (authCode !== undefined && !sameCode(authCode, domain.transferCode))
      refuse('wrongCode', { what: 'Auth-Code', field: 'Auth-Code' });
    refuseIfProhibited('delete', domain.statuses);
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

import { refuseGuessing, sameCode, WrongCode } from '../access/wrong-codes.ts';
import type { Context } from '../operation.ts';
import { refusal, refuse } from '../refusals.ts';
import { domainOperation, named, pending } from './change.ts';
import type { Domain } from './domain.ts';
import { dayAfter } from './periods.ts';
import { refuseIfProhibited, withStatus } from './statuses.ts';

export type Deletion = {
  readonly name: string;
  readonly verified: boolean;
  readonly authCode: string | undefined;
};

/** Vouched for by the registrar: done at once. Otherwise the registrant is asked. */
export const deleteDomain = domainOperation<Deletion>(
  (domain, { verified, authCode }, context, { wrongCodes }) => {
    if (authCode !== undefined) {
      refuseGuessing(wrongCodes, context.policy);
      if (!sameCode(authCode, domain.transferCode)) {
        throw new WrongCode(domain.name, domain, [
          refusal('wrongCode', { what: 'Auth-Code', field: 'Auth-Code' }),
        ]);
      }
    }
    refuseIfProhibited('delete', domain.statuses);
    if (domain.disputed) refuse('statusProhibits');
    if (verified)
      return {
        answer: named(domain),
        operation: 'delete',
        before: domain,
        after: deletedDomain(domain, context),
      };
    const after = { ...domain, statuses: withStatus(domain.statuses, 'pendingDeleteConfirmation') };
    return {
      answer: pending(domain),
      operation: 'ask for deletion',
      before: domain,
      after,
      request: { kind: 'deletion' },
    };
  },
);

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

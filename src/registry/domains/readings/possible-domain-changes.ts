import type { Refusal } from '../../../operations/refusal.ts';
import { checkPartsProhibited } from '../apply-parts.ts';
import { checkSupported } from '../change-status.ts';
import { checkDeletion } from '../delete-domain.ts';
import type { ContactRole, DecisionContext, Domain } from '../domain.ts';
import { type DomainParts, NO_PARTS } from '../rules/domain-parts.ts';
import { checkRenewalOpen } from '../renew-domain.ts';
import { checkDisputed } from '../rules/domain-statuses.ts';

export type DomainAction =
  | 'renew'
  | 'nameservers'
  | 'contacts'
  | 'registrant'
  | 'keys'
  | 'hold'
  | 'transferCode'
  | 'delete';

const HOLD = [{ status: 'clientHold' }];

type Seen = Pick<Domain, 'statuses' | 'expireTime' | 'disputed'>;

/**
 * What forbids each change of a domain at this moment, by the checks of the operations themselves. What depends on the
 * input, such as whether a new registrant is another holder, is found only by the operation.
 */
export function checkDomainActions(
  domain: Seen,
  context: DecisionContext,
): Readonly<Record<DomainAction, readonly Refusal[]>> {
  const { policy } = context;
  const prohibited = (parts: DomainParts, isOther = false) =>
    checkPartsProhibited(domain, parts, { isNewHolder: false, isOther });
  const adding = (parts: Partial<DomainParts['add']>) =>
    prohibited({ ...NO_PARTS, add: { ...NO_PARTS.add, ...parts } });
  const inRole = (role: ContactRole) => adding({ contacts: [{ code: '', role }] });
  const [admin, tech] = [inRole('admin'), inRole('tech')];
  const update = prohibited(NO_PARTS, true);
  return {
    renew: checkRenewalOpen(domain, context),
    nameservers: adding({ nameservers: [{ hostname: '', ipv4: [], ipv6: [] }] }),
    // One role may be closed while the other is open.
    contacts: admin.length > 0 && tech.length > 0 ? admin : [],
    registrant: update,
    keys: prohibited({ ...NO_PARTS, remove: { ...NO_PARTS.remove, keys: 'all' } }),
    hold: [
      ...checkSupported('clientHold', policy),
      ...('clientHold' in domain.statuses
        ? prohibited({ ...NO_PARTS, remove: { ...NO_PARTS.remove, statuses: HOLD } })
        : adding({ statuses: HOLD })),
    ],
    transferCode: update.length > 0 ? update : checkDisputed(domain.disputed),
    delete: checkDeletion(domain),
  };
}

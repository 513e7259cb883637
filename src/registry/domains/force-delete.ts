import type { Policy } from '../../policy/policy.ts';
import type { Domain, ForceDelete } from './domain.ts';
import { anniversaryAhead, dayAfter, dayLater } from './periods.ts';
import { type Statuses, withoutStatus, withStatus } from './statuses.ts';

const ADDED = ['serverForceDelete', 'serverRenewProhibited', 'serverTransferProhibited'] as const;
/** What is under way ends; what the registrar forbade does not count against the registry. */
const ENDED = [
  ...(['pendingUpdate', 'pendingDeleteConfirmation'] as const),
  ...(['pendingTransfer', 'pendingRenew', 'pendingCreate'] as const),
] as const;
const TAKEN = 'clientDeleteProhibited';

type Ordered = Pick<ForceDelete, 'kind' | 'reason'>;
type Moment = { readonly now: Date; readonly policy: Policy };

/** The domain under force delete: it can be neither renewed nor transferred, and goes on a day of its own. */
export function forceDeleted(domain: Domain, { kind, reason }: Ordered, moment: Moment): Domain {
  const previous = domain.forceDelete ? withoutForceDelete(domain) : domain;
  const left = withoutStatus(previous.statuses, ...ENDED, TAKEN);
  const statuses = ADDED.reduce<Statuses>((all, status) => withStatus(all, status), left);
  const added = ADDED.filter((status) => !(status in left));
  const { [TAKEN]: note } = previous.statuses;
  const taken = note === undefined ? {} : { [TAKEN]: note };
  const dates = datesOf(kind, domain.expireTime, moment);
  return {
    ...previous,
    statuses,
    forceDelete: { kind, reason, added, taken, warned: false, held: false, ...dates },
  };
}

/** The same with the hold of the force delete; one that stands already has another reason, and outlives it. */
export function heldByForceDelete(domain: Domain, forceDelete: ForceDelete): Domain {
  if ('clientHold' in domain.statuses) return { ...domain, forceDelete };
  return {
    ...domain,
    statuses: withStatus(domain.statuses, 'clientHold'),
    forceDelete: { ...forceDelete, added: [...forceDelete.added, 'clientHold'] },
  };
}

/** As it was before, but for what has happened since. */
export function withoutForceDelete(domain: Domain): Domain {
  if (!domain.forceDelete) return domain;
  const { added, taken } = domain.forceDelete;
  const statuses = { ...taken, ...withoutStatus(domain.statuses, ...added, 'serverForceDelete') };
  return { ...domain, statuses, forceDelete: null };
}

/** Fast track begins tomorrow. Soft waits for the next anniversary of the expiry, which may be today. */
function datesOf(kind: ForceDelete['kind'], expiry: Date, { now, policy }: Moment) {
  const { expiryGraceDays, redemptionDays } = policy.domains;
  const start =
    kind === 'fast track' ? dayAfter(now, 1, policy) : (anniversaryAhead(expiry, now, policy) ?? null);
  return { start, date: start === null ? null : dayLater(start, expiryGraceDays + redemptionDays) };
}

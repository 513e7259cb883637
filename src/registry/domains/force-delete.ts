import type { Policy } from '../../policy/policy.ts';
import type { Domain, ForceDelete } from './domain.ts';
import { dayAfter, dayLater, wholeYearsBefore } from './periods.ts';
import { type DomainStatus, type Statuses, withoutStatus, withStatus } from './statuses.ts';

const ADDED = ['serverForceDelete', 'serverRenewProhibited', 'serverTransferProhibited'] as const;
/** What is under way ends; what the registrar forbade does not count against the registry. */
const ENDED = ['pendingUpdate', 'pendingTransfer', 'pendingRenew', 'pendingCreate'] as const;
const TAKEN = ['clientDeleteProhibited'] as const;

type Ordered = Pick<ForceDelete, 'kind' | 'reason'>;
type Moment = { readonly now: Date; readonly policy: Policy };

/** The domain under force delete: it can be neither renewed nor transferred, and goes on a day of its own. */
export function forceDeleted(domain: Domain, { kind, reason }: Ordered, moment: Moment): Domain {
  const previous = domain.forceDelete ? withoutForceDelete(domain) : domain;
  const left = withoutStatus(previous.statuses, ...ENDED, ...TAKEN);
  const statuses = ADDED.reduce<Statuses>((all, status) => withStatus(all, status), left);
  const taken = only(previous.statuses, [...ADDED, ...TAKEN, 'clientHold']);
  const dates = datesOf(kind, domain.expireTime, moment);
  return {
    ...previous,
    statuses,
    forceDelete: { kind, reason, taken, warned: false, held: false, ...dates },
  };
}

/** As it was before, but for what has happened since. */
export function withoutForceDelete(domain: Domain): Domain {
  if (!domain.forceDelete) return domain;
  const statuses = { ...withoutStatus(domain.statuses, ...ADDED, 'clientHold'), ...domain.forceDelete.taken };
  return { ...domain, statuses, forceDelete: null };
}

/** Fast track begins tomorrow. Soft waits for the day of a year on which the domain would have expired. */
function datesOf(kind: ForceDelete['kind'], expiry: Date, { now, policy }: Moment) {
  const { expiryGraceDays, redemptionDays } = policy.domains;
  const start =
    kind === 'fast track' ? dayAfter(now, 1, policy) : (wholeYearsBefore(expiry, now, policy) ?? null);
  return { start, date: start === null ? null : dayLater(start, expiryGraceDays + redemptionDays) };
}

const only = (statuses: Statuses, wanted: readonly DomainStatus[]): Statuses =>
  Object.fromEntries(Object.entries(statuses).filter(([status]) => wanted.some((name) => name === status)));

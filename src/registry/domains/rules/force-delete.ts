import type { DecisionContext, Domain, ForceDelete } from '../domain.ts';
import { anniversaryAhead, dayAfter, dayLater } from './periods.ts';
import { type Statuses, withoutStatus, withStatus } from './domain-statuses.ts';

const ADDED = ['serverForceDelete', 'serverRenewProhibited', 'serverTransferProhibited'] as const;
/** Pending operations are ended; the registrar's own deletion lock (TAKEN) does not bind the registry. */
const ENDED = [
  'pendingUpdate',
  'pendingDeleteConfirmation',
  'pendingTransfer',
  'pendingRenew',
  'pendingCreate',
] as const;
const TAKEN = 'clientDeleteProhibited';

export type OrderedForceDelete = Pick<ForceDelete, 'kind' | 'reason'>;

/** The domain under force delete: not renewable or transferable, with its own date of deletion. */
export function forceDeleted(
  domain: Domain,
  { kind, reason }: OrderedForceDelete,
  context: DecisionContext,
): Domain {
  const previous = domain.forceDelete ? withoutForceDelete(domain) : domain;
  const left = withoutStatus(previous.statuses, ...ENDED, TAKEN);
  const statuses = ADDED.reduce<Statuses>((all, status) => withStatus(all, status), left);
  const added = ADDED.filter((status) => !(status in left));
  const { [TAKEN]: note } = previous.statuses;
  const taken = note === undefined ? {} : { [TAKEN]: note };
  const dates = datesOf(kind, domain.expireTime, context);
  return {
    ...previous,
    statuses,
    forceDelete: { kind, reason, added, taken, warned: false, held: false, ...dates },
  };
}

/** Adds the hold of the force delete; an existing clientHold has another reason, and stays when the force delete is lifted. */
export function heldByForceDelete(domain: Domain, forceDelete: ForceDelete): Domain {
  if ('clientHold' in domain.statuses) return { ...domain, forceDelete };
  return {
    ...domain,
    statuses: withStatus(domain.statuses, 'clientHold'),
    forceDelete: { ...forceDelete, added: [...forceDelete.added, 'clientHold'] },
  };
}

/** Restores the previous statuses, except for changes made since. */
export function withoutForceDelete(domain: Domain): Domain {
  if (!domain.forceDelete) return domain;
  const { added, taken } = domain.forceDelete;
  const statuses = { ...taken, ...withoutStatus(domain.statuses, ...added, 'serverForceDelete') };
  return { ...domain, statuses, forceDelete: null };
}

/** Fast track begins tomorrow. Soft waits for the next anniversary of the expiry, which may be today. */
function datesOf(kind: ForceDelete['kind'], expiry: Date, { now, policy }: DecisionContext) {
  const { expiryGraceDays, redemptionDays } = policy.domains;
  const start =
    kind === 'fast track' ? dayAfter(now, 1, policy) : (anniversaryAhead(expiry, now, policy) ?? null);
  return { start, date: start === null ? null : dayLater(start, expiryGraceDays + redemptionDays) };
}

import type { Refusal } from '../../operations/refusal.ts';
import type { ClientStatus, Policy } from '../../policy/policy.ts';
import { message } from '../poll/messages.ts';
import type { DecisionContext, Domain, ForceDelete } from './domain.ts';
import type { Changed, NewStatus } from './domain-parts.ts';
import { refusal, refuse } from './domain-refusals.ts';
import { isOutOfZone, withHold, withoutHold } from './hold-causes.ts';
import type { DomainChange } from './persist.ts';
import { type DomainStatus, storedStatuses, withoutStatus, withStatus } from './statuses.ts';

/**
 * A status set by registrar or operator is no longer owned by a force delete: lifting that neither removes it nor
 * restores one that was removed in between.
 */
export function withOwnStatus(
  domain: Domain,
  status: DomainStatus,
  note = domain.statuses[status] ?? '',
): Domain {
  return {
    ...domain,
    statuses: withStatus(withoutStatus(domain.statuses, status), status, note),
    forceDelete: withoutOwnership(domain.forceDelete, status),
  };
}

export function withoutOwnStatus(domain: Domain, status: DomainStatus): Domain {
  return {
    ...domain,
    statuses: withoutStatus(domain.statuses, status),
    forceDelete: withoutOwnership(domain.forceDelete, status),
  };
}

/** Removes the status from those that lifting the force delete would remove or restore. */
function withoutOwnership(forceDelete: ForceDelete | null, status: DomainStatus): ForceDelete | null {
  return (
    forceDelete && {
      ...forceDelete,
      added: forceDelete.added.filter((one) => one !== status),
      taken: withoutStatus(forceDelete.taken, status),
    }
  );
}

/** What forbids a registrar to set or remove a status, whatever the others are. */
export const checkSupported = (status: string, policy: Policy): Refusal[] =>
  isClientStatus(status, policy) ? [] : [refusal('statusUnsupported', supported(policy))];

const isClientStatus = (status: string, { domains }: Policy): status is ClientStatus =>
  domains.clientStatuses.some((one) => one === status);

const supported = ({ domains }: Policy) => ({ statuses: domains.clientStatuses.join(', ') });

/** A clientHold takes the domain out of the zone until the registrar removes it. */
export function withClientStatus(
  domain: Domain,
  { status, mayBePresent = false }: NewStatus,
  index: number,
  policy: Policy,
): Changed {
  const at = ['add', 'statuses', index] as const;
  if (!isClientStatus(status, policy))
    return { domain, refusals: [refusal('statusUnsupported', { ...supported(policy), at })] };
  return status in domain.statuses && !mayBePresent
    ? { domain, refusals: [refusal('statusPresent', { at })] }
    : { domain: withOwnStatus(domain, status), refusals: [] };
}

export function withoutClientStatus(domain: Domain, status: string, index: number, policy: Policy): Changed {
  const at = ['remove', 'statuses', index] as const;
  if (!isClientStatus(status, policy))
    return { domain, refusals: [refusal('statusUnsupported', { ...supported(policy), at })] };
  return status in domain.statuses
    ? { domain: withoutOwnStatus(domain, status), refusals: [] }
    : { domain, refusals: [refusal('statusAbsent', { at })] };
}

export type ServerStatus = Extract<DomainStatus, `server${string}`>;
/** Statuses an operator sets directly; a force delete has its own command. */
export const serverStatuses = storedStatuses.filter(
  (status): status is ServerStatus => status.startsWith('server') && status !== 'serverForceDelete',
);

/** Mutually exclusive statuses: manually kept in the zone and on hold, pending delete and delete prohibited. */
const CONTRADICTIONS: readonly (readonly [DomainStatus, DomainStatus])[] = [
  ['serverManualInzone', 'serverHold'],
  ['serverManualInzone', 'clientHold'],
  ['serverDeleteProhibited', 'pendingDelete'],
];

/** Set to keep a domain in the zone that its dates have taken out of it, serverManualInzone ends that hold. */
export function setServerStatus(
  domain: Domain,
  { status, note }: { readonly status: ServerStatus; readonly note: string },
): DomainChange {
  const free = status === 'serverManualInzone' ? withoutHold(domain, 'expiry') : domain;
  const contradicting = CONTRADICTIONS.flatMap(([one, other]) =>
    one === status ? [other] : other === status ? [one] : [],
  ).find((other) => other in free.statuses);
  if (contradicting) refuse('statusProhibits', { status: contradicting });
  const isHold = status === 'serverHold';
  const repeated = domain.statuses[status] === note && (!isHold || domain.holdCauses.includes('registry'));
  const held = isHold ? withHold(free, 'registry', note) : free;
  return {
    operation: `set ${status}`,
    before: domain,
    after: withOwnStatus(held, status, note),
    messages: repeated ? [] : [message('status_set', { ...domain, status })],
  };
}

export function cancelServerStatus(
  domain: Domain,
  status: ServerStatus,
  context: DecisionContext,
): DomainChange {
  if (!(status in domain.statuses)) refuse('statusProhibits', { status: `no ${status}` });
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
  if (!domain.holdCauses.includes('registry'))
    refuse('statusProhibits', { status: 'no serverHold of the registry' });
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

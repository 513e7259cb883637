import type { Refusal } from '../../operations/refusal.ts';
import type { ClientStatus, Policy } from '../../policy/policy.ts';
import type { Domain, ForceDelete } from './domain.ts';
import type { Changed, NewStatus } from './rules/domain-parts.ts';
import { refusal } from './rules/domain-refusals.ts';
import { type DomainStatus, withoutStatus, withStatus } from './rules/domain-statuses.ts';

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
export function withoutOwnership(forceDelete: ForceDelete | null, status: DomainStatus): ForceDelete | null {
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

import { type Refusal, requireNone } from '../../operations/refusal.ts';
import type { ClientStatus, Policy } from '../../policy/policy.ts';
import { message } from '../poll/messages.ts';
import { refusal, refuse } from '../registry-refusals.ts';
import type { Domain, ForceDelete } from './domain.ts';
import { domainOperation } from './domain-operation.ts';
import type { Changed, Named } from './domain-parts.ts';
import type { DomainChange } from './persist.ts';
import {
  checkProhibited,
  checkUpdateProhibited,
  type DomainStatus,
  storedStatuses,
  withoutStatus,
  withStatus,
} from './statuses.ts';

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

type StatusChange = { readonly name: string; readonly status: string };

/** Idempotent. A clientHold takes the domain out of the zone until the registrar removes it. */
export const setClientStatus = domainOperation<StatusChange>((domain, { status }, { policy }) => {
  if (!isClientStatus(status, policy)) return refuse('statusUnsupported', supported(policy));
  requireNone(checkClientStatus(domain, status, policy));
  const after = withOwnStatus(domain, status);
  return { answer: { domain: domain.name, status }, operation: `set ${status}`, before: domain, after };
});

export const removeClientStatus = domainOperation<StatusChange>((domain, { status }, { policy }) => {
  if (!isClientStatus(status, policy)) return refuse('statusUnsupported', supported(policy));
  if (!(status in domain.statuses)) refuse('statusAbsent');
  requireNone(checkClientStatusRemoval(domain, status, policy));
  const after = withoutOwnStatus(domain, status);
  return { answer: {}, operation: `remove ${status}`, before: domain, after };
});

type Seen = Pick<Domain, 'statuses'>;

/** What forbids a registrar to set a status. */
export function checkClientStatus({ statuses }: Seen, status: string, policy: Policy): Refusal[] {
  if (!isClientStatus(status, policy)) return [refusal('statusUnsupported', supported(policy))];
  return checkProhibited('update', statuses, ...(status === 'clientHold' ? HOLD_GUARDS : []));
}

/** What forbids a registrar to remove one that is there. */
export function checkClientStatusRemoval({ statuses }: Seen, status: string, policy: Policy): Refusal[] {
  if (!isClientStatus(status, policy)) return [refusal('statusUnsupported', supported(policy))];
  // RFC 5731: clientUpdateProhibited prohibits every update but its own removal.
  const except: DomainStatus[] = status === 'clientUpdateProhibited' ? [status] : [];
  return checkUpdateProhibited(statuses, { further: [], except });
}

const HOLD_GUARDS: readonly DomainStatus[] = ['serverManualInzone'];

const isClientStatus = (status: string, { domains }: Policy): status is ClientStatus =>
  domains.clientStatuses.some((one) => one === status);

const supported = ({ domains }: Policy) => ({ statuses: domains.clientStatuses.join(', ') });

/** Unlike setClientStatus it refuses a status that is there: an addition is not idempotent. */
export function withClientStatus(
  domain: Domain,
  { status, field }: Named<'status'>,
  policy: Policy,
): Changed {
  if (!isClientStatus(status, policy))
    return { domain, refusals: [refusal('statusUnsupported', { ...supported(policy), field })] };
  return status in domain.statuses
    ? { domain, refusals: [refusal('statusPresent', { field })] }
    : { domain: withOwnStatus(domain, status), refusals: [] };
}

export function withoutClientStatus(
  domain: Domain,
  { status, field }: Named<'status'>,
  policy: Policy,
): Changed {
  if (!isClientStatus(status, policy))
    return { domain, refusals: [refusal('statusUnsupported', { ...supported(policy), field })] };
  return status in domain.statuses
    ? { domain: withoutOwnStatus(domain, status), refusals: [] }
    : { domain, refusals: [refusal('statusAbsent', { field })] };
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

export function setServerStatus(domain: Domain, status: ServerStatus, note: string): DomainChange {
  const contradicting = CONTRADICTIONS.flatMap(([one, other]) =>
    one === status ? [other] : other === status ? [one] : [],
  ).find((other) => other in domain.statuses);
  if (contradicting) refuse('statusProhibits', { status: contradicting });
  const repeated = domain.statuses[status] === note;
  return {
    operation: `set ${status}`,
    before: domain,
    after: withOwnStatus(domain, status, note),
    messages: repeated ? [] : [message('status_set', { ...domain, status })],
  };
}

export function cancelServerStatus(domain: Domain, status: ServerStatus): DomainChange {
  if (!(status in domain.statuses)) refuse('statusProhibits', { status: `no ${status}` });
  return {
    operation: `cancel ${status}`,
    before: domain,
    after: withoutOwnStatus(domain, status),
    messages: [message('status_cancelled', { ...domain, status })],
  };
}

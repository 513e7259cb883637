import { refuse } from '../operator-refusals.ts';
import { message } from '../poll/send-messages.ts';
import { withOwnStatus } from './change-status.ts';
import type { Domain } from './domain.ts';
import { domainByOperator, statusesOf } from './domain-by-operator.ts';
import { withHold, withoutHold } from './rules/hold-causes.ts';
import type { DomainChange } from './persist-domains.ts';
import { type DomainStatus, storedStatuses } from './rules/domain-statuses.ts';

export type ServerStatus = Extract<DomainStatus, `server${string}`>;
/** Statuses an operator sets directly; a force delete has its own operation. */
export const serverStatuses = storedStatuses.filter(
  (status): status is ServerStatus => status.startsWith('server') && status !== 'serverForceDelete',
);

type NotedStatus = { readonly status: ServerStatus; readonly note: string };

/** Sets a status of the registry; the sponsor is notified. */
export const setServerStatus = domainByOperator(
  { name: 'set status', refusals: ['statusContradicted'] },
  (domain, status: NotedStatus & { readonly name: string }) => decideStatus(domain, status),
  statusesOf,
);

/** Mutually exclusive statuses: manually kept in the zone and on hold, pending delete and delete prohibited. */
const CONTRADICTIONS: readonly (readonly [DomainStatus, DomainStatus])[] = [
  ['serverManualInzone', 'serverHold'],
  ['serverManualInzone', 'clientHold'],
  ['serverDeleteProhibited', 'pendingDelete'],
];

/** Set to keep a domain in the zone that its dates have taken out of it, serverManualInzone ends that hold. */
export function decideStatus(domain: Domain, { status, note }: NotedStatus): DomainChange {
  const free = status === 'serverManualInzone' ? withoutHold(domain, 'expiry') : domain;
  const isContradicted = CONTRADICTIONS.flatMap(([one, other]) =>
    one === status ? [other] : other === status ? [one] : [],
  ).some((other) => other in free.statuses);
  if (isContradicted) refuse('statusContradicted', { name: domain.name, status });
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

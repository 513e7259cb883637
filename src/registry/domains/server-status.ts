import { message } from '../poll/texts.ts';
import { refuse } from '../refusals.ts';
import type { Domain } from './domain.ts';
import { withOwnStatus, withoutOwnStatus } from './own-statuses.ts';
import type { Change } from './persist.ts';
import { type DomainStatus, storedStatuses } from './statuses.ts';

export type ServerStatus = Extract<DomainStatus, `server${string}`>;
/** What an operator sets by hand; a force delete has a command of its own. */
export const serverStatuses = storedStatuses.filter(
  (status): status is ServerStatus => status.startsWith('server') && status !== 'serverForceDelete',
);

/** Pairs that contradict each other: in the zone by hand and held, going and not to be deleted. */
const CONTRADICTIONS: readonly (readonly [DomainStatus, DomainStatus])[] = [
  ['serverManualInzone', 'serverHold'],
  ['serverManualInzone', 'clientHold'],
  ['serverDeleteProhibited', 'pendingDelete'],
];

export function setServerStatus(domain: Domain, status: ServerStatus, note: string): Change {
  const contradicts = CONTRADICTIONS.some(
    ([one, other]) =>
      (one === status && other in domain.statuses) || (other === status && one in domain.statuses),
  );
  if (contradicts) refuse('statusProhibits');
  const repeated = domain.statuses[status] === note;
  return {
    operation: `set ${status}`,
    before: domain,
    after: withOwnStatus(domain, status, note),
    messages: repeated ? [] : [message('status_set', { ...domain, status })],
  };
}

export function cancelServerStatus(domain: Domain, status: ServerStatus): Change {
  if (!(status in domain.statuses)) refuse('statusProhibits');
  return {
    operation: `cancel ${status}`,
    before: domain,
    after: withoutOwnStatus(domain, status),
    messages: [message('status_cancelled', { ...domain, status })],
  };
}

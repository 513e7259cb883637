import type { Domain } from './state.ts';

const PENDING = [
  'pendingCreate',
  'pendingUpdate',
  'pendingDelete',
  'pendingDeleteConfirmation',
  'pendingRenew',
  'pendingTransfer',
];
const UPDATE = new Set([
  ...PENDING,
  'clientUpdateProhibited',
  'serverUpdateProhibited',
  'serverObjUpdateProhibited',
  'deleteCandidate',
]);
const RENEWAL = new Set([
  'clientRenewProhibited',
  'serverRenewProhibited',
  'deleteCandidate',
  'pendingRenew',
  'pendingTransfer',
  'pendingUpdate',
  'pendingDeleteConfirmation',
]);
const DELETION = new Set([...PENDING, 'clientDeleteProhibited', 'serverDeleteProhibited', 'deleteCandidate']);
const TRANSFER = new Set([
  ...PENDING,
  'serverForceDelete',
  'serverTransferProhibited',
  'clientTransferProhibited',
  'serverUpdateProhibited',
  'clientUpdateProhibited',
]);

const has = (prohibiting: ReadonlySet<string>) => (domain: Domain) =>
  [...domain.statuses].some((status) => prohibiting.has(status));

export const updateProhibited = has(UPDATE);
export const renewalProhibited = has(RENEWAL);
export const deletionProhibited = has(DELETION);
export const transferProhibited = has(TRANSFER);

/** Statuses as an answer shows them: those that follow from the rest come along. */
export function shownStatuses({ statuses, hosts }: Domain): string[] {
  const shown = [...statuses, ...(hosts.length === 0 ? ['inactive'] : [])];
  return shown.length === 0 ? ['ok'] : shown.toSorted();
}

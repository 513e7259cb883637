import { type Refusal, requireNone } from '../../../operations/refusal.ts';
import { refusal } from './domain-refusals.ts';

/** Stored statuses, each with its note. `ok`, `inactive` and `disputed` are computed and never stored. */
export const storedStatuses = [
  'clientDeleteProhibited',
  'clientHold',
  'clientRenewProhibited',
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'serverDeleteProhibited',
  'serverHold',
  'serverRenewProhibited',
  'serverTransferProhibited',
  'serverUpdateProhibited',
  'serverManualInzone',
  'serverRegistrantChangeProhibited',
  'serverAdminChangeProhibited',
  'serverTechChangeProhibited',
  'serverReleaseProhibited',
  'serverExtensionUpdateProhibited',
  'serverObjUpdateProhibited',
  'serverForceDelete',
  'expired',
  'deleteCandidate',
  'pendingCreate',
  'pendingDelete',
  'pendingDeleteConfirmation',
  'pendingRenew',
  'pendingTransfer',
  'pendingUpdate',
] as const;

/** Those that are computed. */
export const computedStatuses = ['ok', 'inactive', 'disputed'] as const;

export type DomainStatus = (typeof storedStatuses)[number];
export type Statuses = Readonly<Partial<Record<DomainStatus, string>>>;

/**
 * Why a domain has serverHold, which stands while any cause does. `expiry` is that of an expired or deleted domain whose
 * outzone_at has passed; `registry` is an operator's.
 */
export const holdCauses = ['expiry', 'registry'] as const;
export type HoldCause = (typeof holdCauses)[number];

const PENDING: readonly DomainStatus[] = [
  'pendingCreate',
  'pendingUpdate',
  'pendingDelete',
  'pendingDeleteConfirmation',
  'pendingRenew',
  'pendingTransfer',
];
const UPDATE_PROHIBITING: readonly DomainStatus[] = [
  'deleteCandidate',
  'clientUpdateProhibited',
  'serverUpdateProhibited',
  'serverObjUpdateProhibited',
  ...PENDING,
];
const RENEW_PROHIBITING: readonly DomainStatus[] = [
  'deleteCandidate',
  'clientRenewProhibited',
  'serverRenewProhibited',
  'pendingRenew',
  'pendingTransfer',
  'pendingUpdate',
  'pendingDeleteConfirmation',
];
const DELETE_PROHIBITING: readonly DomainStatus[] = [
  'deleteCandidate',
  'clientDeleteProhibited',
  'serverDeleteProhibited',
  ...PENDING,
];

/** deleteCandidate is not listed: it has its own refusal, since it is final. */
const TRANSFER_PROHIBITING: readonly DomainStatus[] = [
  'clientTransferProhibited',
  'serverTransferProhibited',
  'serverForceDelete',
  'clientUpdateProhibited',
  'serverUpdateProhibited',
  ...PENDING,
];

const prohibitions = {
  transfer: TRANSFER_PROHIBITING,
  update: UPDATE_PROHIBITING,
  renew: RENEW_PROHIBITING,
  delete: DELETE_PROHIBITING,
};

/** The statuses of an object that prohibit an operation on it. */
function prohibitingStatuses(
  operation: keyof typeof prohibitions,
  statuses: Statuses,
  ...further: readonly DomainStatus[]
): DomainStatus[] {
  return [...prohibitions[operation], ...further].filter((status) => status in statuses);
}

export const isProhibited = (...question: Parameters<typeof prohibitingStatuses>): boolean =>
  prohibitingStatuses(...question).length > 0;

export function checkProhibited(...question: Parameters<typeof prohibitingStatuses>): Refusal[] {
  const found = prohibitingStatuses(...question);
  return found.length === 0 ? [] : [refusal('statusProhibits', { status: found.join(', ') })];
}

/** The same for an update that `further` statuses prohibit too, and those of `except` do not. */
export function checkUpdateProhibited(
  statuses: Statuses,
  {
    further,
    except,
  }: { readonly further: readonly DomainStatus[]; readonly except: readonly DomainStatus[] },
): Refusal[] {
  const found = prohibitingStatuses('update', statuses, ...further).filter((one) => !except.includes(one));
  return found.length === 0 ? [] : [refusal('statusProhibits', { status: found.join(', ') })];
}

/** A dispute is about who holds the name: whatever could decide it needs its code. */
export const checkDisputed = (isDisputed: boolean): Refusal[] =>
  isDisputed ? [refusal('statusProhibits', { status: 'disputed' })] : [];

export const requireNotProhibited = (...question: Parameters<typeof checkProhibited>): void =>
  requireNone(checkProhibited(...question));

/** The registrant's confirmation is pending. */
export const isConfirmationPending = (statuses: Statuses): boolean =>
  'pendingUpdate' in statuses || 'pendingDeleteConfirmation' in statuses;

export const withStatus = (statuses: Statuses, status: DomainStatus, note = ''): Statuses => ({
  [status]: note,
  ...statuses,
});

export function withoutStatus(statuses: Statuses, ...removed: readonly DomainStatus[]): Statuses {
  return Object.fromEntries(
    Object.entries(statuses).filter(([status]) => !removed.some((name) => name === status)),
  );
}

import { dialectOf, NAMESPACES } from '../namespaces.ts';

/** Statuses of the registry that domain-1.0 does not have; what has no equivalent is left out. */
const STANDARD: Readonly<Record<string, readonly string[]>> = {
  deleteCandidate: ['pendingDelete'],
  pendingDeleteConfirmation: ['pendingUpdate'],
  disputed: ['serverUpdateProhibited', 'serverTransferProhibited', 'serverDeleteProhibited'],
  serverObjUpdateProhibited: ['serverUpdateProhibited'],
  ...Object.fromEntries(
    [
      'expired',
      'serverForceDelete',
      'serverExtensionUpdateProhibited',
      'serverManualInzone',
      'serverReleaseProhibited',
      'serverRegistrantChangeProhibited',
      'serverAdminChangeProhibited',
      'serverTechChangeProhibited',
    ].map((status) => [status, []]),
  ),
};

/** Statuses that domain-ee-1.2 has and the schemas before it do not. */
const SINCE_1_2: readonly string[] = ['serverObjUpdateProhibited', 'serverExtensionUpdateProhibited'];

/** Of the schema. */
const MAX_STATUSES = 11;

/** Statuses with their notes, each once. `ok` stands alone, also where the standard has no word for the only one. */
export function shownStatuses(
  statuses: Readonly<Record<string, string>>,
  namespace: string,
): (readonly [status: string, note: string])[] {
  const isOwn = (status: string) =>
    dialectOf(namespace) === 'ee' && (namespace === NAMESPACES.domain.ee || !SINCE_1_2.includes(status));
  const shown = new Map<string, string>();
  for (const [status, note] of Object.entries(statuses))
    for (const written of isOwn(status) ? [status] : (STANDARD[status] ?? [status]))
      if (!shown.has(written)) shown.set(written, note);
  return shown.size === 0 ? [['ok', '']] : [...shown].slice(0, MAX_STATUSES);
}

/** The status of the redemption grace period (RFC 3915); undefined if the domain is not being deleted. */
export function gracePeriodStatus(
  statuses: Readonly<Record<string, string>>,
): 'redemptionPeriod' | 'pendingDelete' | undefined {
  if ('deleteCandidate' in statuses) return 'pendingDelete';
  return 'pendingDelete' in statuses ? 'redemptionPeriod' : undefined;
}

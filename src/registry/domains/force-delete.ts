import { forceDeleteMails } from '../mails/registrant-mails.ts';
import { message } from '../poll/messages.ts';
import { type DecisionContext, type Domain, type ForceDelete, lastDayOf } from './domain.ts';
import { refuse } from './domain-refusals.ts';
import { anniversaryAhead, dayAfter, dayLater } from './periods.ts';
import type { DomainChange } from './persist.ts';
import { isConfirmationPending, type Statuses, withoutStatus, withStatus } from './statuses.ts';

const ADDED = ['serverForceDelete', 'serverRenewProhibited', 'serverTransferProhibited'] as const;
/** Pending operations are ended; the registrar's own deletion lock (TAKEN) does not bind the registry. */
const ENDED = [
  ...(['pendingUpdate', 'pendingDeleteConfirmation'] as const),
  ...(['pendingTransfer', 'pendingRenew', 'pendingCreate'] as const),
] as const;
const TAKEN = 'clientDeleteProhibited';

type Ordered = Pick<ForceDelete, 'kind' | 'reason'>;

/** The domain under force delete: not renewable or transferable, with its own date of deletion. */
export function forceDeleted(domain: Domain, { kind, reason }: Ordered, context: DecisionContext): Domain {
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

/** The fast track notifies the registrant at once, the soft one when its grace period begins. */
export function orderForceDelete(
  domain: Domain,
  order: Pick<ForceDelete, 'kind' | 'reason'>,
  context: DecisionContext,
): DomainChange {
  if ('deleteCandidate' in domain.statuses) refuse('statusProhibits', { status: 'deleteCandidate' });
  // Its dates have been announced: ordering the same kind again would postpone them.
  if (domain.forceDelete?.kind === order.kind) refuse('statusProhibits', { status: 'serverForceDelete' });
  const fast = order.kind === 'fast track';
  const ordered = forceDeleted(domain, order, context);
  const forceDelete = { ...(ordered.forceDelete as ForceDelete), warned: fast };
  const withdrawn = isConfirmationPending(domain.statuses);
  const { start } = forceDelete;
  const dates = start
    ? `It begins on ${start}, the domain is deleted on ${lastDayOf({ ...domain, forceDelete })}`
    : 'The domain can no longer be renewed';
  return {
    operation: 'set force delete',
    before: domain,
    after: { ...ordered, forceDelete },
    messages: [
      message('force_delete_set', { ...domain, ...order, dates }),
      ...(withdrawn
        ? [message('request_withdrawn', { ...domain, reason: 'the domain is under force delete' })]
        : []),
    ],
    ...(withdrawn && { requestOutcome: 'withdrawn' }),
    ...(fast && { mails: forceDeleteMails(domain, forceDelete) }),
  };
}

export function liftForceDelete(domain: Domain): DomainChange {
  if (!domain.forceDelete) refuse('statusProhibits', { status: 'no serverForceDelete' });
  return {
    operation: 'lift force delete',
    before: domain,
    after: withoutForceDelete(domain),
    messages: [message('force_delete_lifted', domain)],
  };
}

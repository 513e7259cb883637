import { forceDeleteMails } from '../mails/registrant-mails.ts';
import { refuse } from '../operator-refusals.ts';
import { message } from '../poll/send-messages.ts';
import { type DecisionContext, type Domain, type ForceDelete, lastDayOf } from './domain.ts';
import { domainByOperator } from './domain-by-operator.ts';
import { forceDeleted, type OrderedForceDelete } from './rules/force-delete.ts';
import type { DomainChange } from './persist-domains.ts';
import { isConfirmationPending } from './rules/domain-statuses.ts';

/** The reason of the order is told to registrar and registrant. */
type Order = OrderedForceDelete & { readonly name: string };

/** Takes a domain away from its registrant. */
export const orderForceDelete = domainByOperator(
  { name: 'order force delete', refusals: ['domainLeaving', 'forceDeleteOrdered'] },
  (domain, { kind, reason }: Order, context) => decideForceDelete(domain, { kind, reason }, context),
  (after) => {
    const begins = after.forceDelete?.start ?? null;
    return { name: after.name, begins, lastDay: begins === null ? null : lastDayOf(after) };
  },
);

/** The fast track notifies the registrant at once, the soft one when its grace period begins. */
export function decideForceDelete(
  domain: Domain,
  order: OrderedForceDelete,
  context: DecisionContext,
): DomainChange {
  const { name, statuses } = domain;
  if ('deleteCandidate' in statuses) refuse('domainLeaving', { name });
  // Its dates have been announced: ordering the same kind again would postpone them.
  if (domain.forceDelete?.kind === order.kind)
    refuse('forceDeleteOrdered', { name, kind: order.kind.replace(' ', '-') });
  const fast = order.kind === 'fast track';
  const ordered = forceDeleted(domain, order, context);
  const forceDelete = { ...(ordered.forceDelete as ForceDelete), warned: fast };
  const withdrawn = isConfirmationPending(statuses);
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

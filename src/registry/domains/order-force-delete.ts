import { tellOfForceDelete } from '../letters/lifecycle.ts';
import { message } from '../poll/texts.ts';
import { refuse } from '../refusals.ts';
import type { Moment } from './by-operator.ts';
import { type Domain, type ForceDelete, lastDayOf } from './domain.ts';
import { forceDeleted, withoutForceDelete } from './force-delete.ts';
import type { Change } from './persist.ts';
import { isAsked } from './statuses.ts';

/** The operator takes a domain away. The fast track tells its registrant at once, the soft one when its grace begins. */
export function orderForceDelete(
  domain: Domain,
  order: Pick<ForceDelete, 'kind' | 'reason'>,
  moment: Moment,
): Change {
  if ('deleteCandidate' in domain.statuses) refuse('statusProhibits');
  // Its days are counting, and everybody was told: the same again would put them off.
  if (domain.forceDelete?.kind === order.kind) refuse('statusProhibits');
  const fast = order.kind === 'fast track';
  const ordered = forceDeleted(domain, order, moment);
  const forceDelete = { ...(ordered.forceDelete as ForceDelete), warned: fast };
  const withdrawn = isAsked(domain.statuses);
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
        ? [message('request_withdrawn', { ...domain, why: 'the domain is under force delete' })]
        : []),
    ],
    ...(withdrawn && { requestOutcome: 'withdrawn' }),
    ...(fast && { mails: tellOfForceDelete(domain, forceDelete) }),
  };
}

export function liftForceDelete(domain: Domain): Change {
  if (!domain.forceDelete) refuse('statusProhibits');
  return {
    operation: 'lift force delete',
    before: domain,
    after: withoutForceDelete(domain),
    messages: [message('force_delete_lifted', domain)],
  };
}

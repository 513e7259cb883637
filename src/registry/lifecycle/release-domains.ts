import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Domain } from '../domains/domain.ts';
import { dayLater, startOfDay } from '../domains/rules/periods.ts';
import type { DomainChange } from '../domains/persist-domains.ts';
import { isConfirmationPending, withoutStatus, withStatus } from '../domains/rules/domain-statuses.ts';
import { message } from '../poll/send-messages.ts';
import type { Step, StepContext } from './run-step.ts';

const DAY_MS = 86_400_000;

/** On its last day a domain becomes final for deletion, at a random context of that day. */
export const release: Step = {
  name: 'release',
  due: ({ today }) => sql`
    d.delete_date <= ${today}::date and not d.statuses ?| ${notReleased()} order by d.delete_date`,
  next: () => sql`(
    select min(delete_date)::timestamptz from domains where delete_date is not null and not statuses ?| ${notReleased()})`,
  decide: (domain, context, chance) => released(domain, domain.deleteDate, context, chance),
};

/** The same for a force delete. */
export const releaseForced: Step = {
  name: 'release under force delete',
  due: ({ today }) => sql`
    d.force_delete_date <= ${today}::date and not d.statuses ?| ${notReleased()} order by d.force_delete_date`,
  next: () => sql`(
    select min(force_delete_date)::timestamptz from domains where force_delete_date is not null and not statuses ?| ${notReleased()})`,
  decide: (domain, context, chance) => released(domain, domain.forceDelete?.date, context, chance),
};

function released(
  domain: Domain,
  lastDay: string | null | undefined,
  { now, today, policy }: StepContext,
  chance: number,
): DomainChange {
  // If the day has passed already (limit exceeded, or no worker running), the context is within the next 24 hours.
  const endOfDay = startOfDay(dayLater(lastDay ?? today, 1), policy).getTime();
  const start = now.getTime();
  const end = endOfDay > start ? endOfDay : start + DAY_MS;
  const withdrawn = isConfirmationPending(domain.statuses);
  const left = withoutStatus(domain.statuses, 'pendingUpdate', 'pendingDeleteConfirmation');
  return {
    operation: 'release',
    before: domain,
    after: {
      ...domain,
      statuses: withStatus(left, 'deleteCandidate'),
      purgeAt: new Date(start + Math.floor(chance * (end - start))),
    },
    messages: [
      message('delete_candidate', domain),
      ...(withdrawn
        ? [message('request_withdrawn', { ...domain, reason: 'the domain is about to be deleted' })]
        : []),
    ],
    ...(withdrawn && { requestOutcome: 'withdrawn' }),
  };
}

const notReleased = (): Fragment => sql`array['deleteCandidate', 'serverReleaseProhibited']`;

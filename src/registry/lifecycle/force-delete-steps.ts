import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { type Domain, type ForceDelete, lastDayOf } from '../domains/domain.ts';
import { heldByForceDelete } from '../domains/rules/force-delete.ts';
import { dayLater } from '../domains/rules/periods.ts';
import { forceDeleteMails } from '../mails/registrant-mails.ts';
import { message } from '../poll/send-messages.ts';
import type { Step } from './run-step.ts';

/** The grace period of a force delete begins: registrar and registrant are notified once. */
export const warn: Step = {
  name: 'warn of force delete',
  due: ({ today }) => sql`
    d.force_delete_start <= ${today}::date and not (d.force_delete ->> 'warned')::boolean order by d.force_delete_start`,
  next: () => sql`(
    select min(force_delete_start)::timestamptz from domains where force_delete_start is not null and not (force_delete ->> 'warned')::boolean)`,

  decide(domain) {
    const forceDelete = { ...orderOf(domain), warned: true };
    return {
      operation: 'begin force delete',
      before: domain,
      after: { ...domain, forceDelete },
      messages: [message('force_delete_started', { ...domain, deletion: lastDayOf(domain) ?? '' })],
      mails: forceDeleteMails(domain, forceDelete),
    };
  },
};

/** After expiryGraceDays the domain leaves the zone, once: if the registrar removes the hold, it is not set again. */
export const hold: Step = {
  name: 'hold under force delete',
  due: ({ today, policy }) => sql`
    d.force_delete_start <= ${dayLater(today, -policy.domains.expiryGraceDays)}::date and ${toBeHeld(policy)} order by d.force_delete_start`,
  next: (policy) => sql`(
    select min(d.force_delete_start + ${policy.domains.expiryGraceDays}::int)::timestamptz from domains d
    where d.force_delete_start is not null and ${toBeHeld(policy)})`,

  decide(domain) {
    const forceDelete = { ...orderOf(domain), held: true };
    const inZoneByHand = 'serverManualInzone' in domain.statuses;
    const details = {
      ...domain,
      done: 'clientHold' in domain.statuses ? 'stays' : 'set',
      deletion: lastDayOf(domain) ?? '',
    };
    return {
      operation: 'hold under force delete',
      before: domain,
      after: inZoneByHand ? { ...domain, forceDelete } : heldByForceDelete(domain, forceDelete),
      messages: inZoneByHand ? [] : [message('force_delete_held', details)],
    };
  },
};

/** A domain that expires earlier leaves the zone by its expiry. */
const toBeHeld = ({ domains }: Policy): Fragment => sql`
  not (d.force_delete ->> 'held')::boolean and d.force_delete_start + ${domains.expiryGraceDays}::int <= d.expire_time::date`;

function orderOf({ name, forceDelete }: Domain): ForceDelete {
  if (!forceDelete) throw new Error(`${name} is not under force delete`);
  return forceDelete;
}

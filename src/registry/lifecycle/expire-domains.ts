import { sql } from '../../platform/sql/statement.ts';
import { lastDayOf } from '../domains/domain.ts';
import { withHold } from '../domains/rules/hold-causes.ts';
import { dayAfter, dayOf, daysLater, formatLocalTime } from '../domains/rules/periods.ts';
import { withStatus } from '../domains/rules/domain-statuses.ts';
import { expiryReminderMails } from '../mails/registrant-mails.ts';
import { message } from '../poll/send-messages.ts';
import type { Step } from './run-step.ts';

/** At expiry a domain gets the dates on which it leaves the zone and is deleted; it stays in the zone until then. */
export const expire: Step = {
  name: 'expire',
  due: ({ now }) => sql`d.expire_time <= ${now} and not d.statuses ? 'expired' order by d.expire_time`,
  next: () => sql`(select min(expire_time) from domains where not statuses ? 'expired')`,

  decide(domain, { policy }) {
    const { expiryGraceDays, redemptionDays } = policy.domains;
    // A domain deleted before its expiry has its dates already.
    const outzoneAt = domain.outzoneAt ?? daysLater(domain.expireTime, expiryGraceDays, policy);
    const deleteDate =
      domain.deleteDate ?? dayAfter(domain.expireTime, expiryGraceDays + redemptionDays, policy);
    const after = { ...domain, statuses: withStatus(domain.statuses, 'expired'), outzoneAt, deleteDate };
    const details = {
      ...domain,
      outzone: formatLocalTime(outzoneAt, policy),
      deletion: lastDayOf(after) ?? '',
      renewal:
        'serverRenewProhibited' in domain.statuses
          ? 'It cannot be renewed'
          : 'A renewal before that keeps it',
    };
    return { operation: 'expire', before: domain, after, messages: [message('expired', details)] };
  },
};

/** Mails registrant and admin contacts some days after expiry, unless the domain is being deleted anyway. */
export const remind: Step = {
  name: 'remind',
  due: ({ now, policy }) => sql`
    d.statuses ? 'expired' and d.reminded_at is null
    and d.expire_time <= ${now}::timestamptz - make_interval(days => ${policy.domains.reminderDays}) order by d.expire_time`,
  next: ({ domains }) => sql`(
    select min(expire_time) + make_interval(days => ${domains.reminderDays}) from domains where statuses ? 'expired' and reminded_at is null)`,

  decide(domain, { now, policy }) {
    const { outzoneAt, statuses } = domain;
    const leaving = 'pendingDelete' in statuses || 'deleteCandidate' in statuses;
    const days = {
      expired: dayOf(domain.expireTime, policy),
      outzone: outzoneAt ? dayOf(outzoneAt, policy) : '',
      deletion: lastDayOf(domain) ?? '',
    };
    return {
      operation: 'remind',
      before: domain,
      after: { ...domain, remindedAt: now },
      mails: leaving ? [] : expiryReminderMails(domain, days),
    };
  },
};

/** The domain leaves the zone; a renewal restores it. */
export const outzone: Step = {
  name: 'outzone',
  due: ({ now }) => sql`
    d.outzone_at <= ${now} and not d.statuses ?| array['serverHold', 'serverManualInzone'] order by d.outzone_at`,
  next: () => sql`(
    select min(outzone_at) from domains where outzone_at is not null and not statuses ?| array['serverHold', 'serverManualInzone'])`,

  decide: (domain) => ({
    operation: 'outzone',
    before: domain,
    after: withHold(domain, 'expiry'),
    messages: [message('outzoned', domain)],
  }),
};

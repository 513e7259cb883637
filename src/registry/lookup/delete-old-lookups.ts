import type { Purge } from '../../platform/jobs/run-purge.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';

const MAX_DELETED_AT_ONCE = 1_000;

const oldRequests = (now: Date, days: number): Fragment => sql`
  select id from lookup_requests where at <= ${now}::timestamptz - make_interval(days => ${days})`;

/** Queries of requesters that are older than the policy keeps them. */
export const lookupRequestPurge = ({ lookup: { requestDays } }: Policy): Purge => ({
  step: 'delete look-ups',
  table: sql`lookup_requests`,
  due: (time) => oldRequests(time, requestDays),
  removeSome: (db, time) =>
    db.run(sql`
      delete from lookup_requests where id = any(array(${oldRequests(time, requestDays)} order by at limit ${MAX_DELETED_AT_ONCE}))`),
});

const oldMessages = (now: Date, days: number): Fragment => sql`
  select id from registrant_messages where created_at <= ${now}::timestamptz - make_interval(days => ${days})`;

/** The same for messages to registrants, whether or not they were confirmed. */
export const registrantMessagePurge = ({ lookup: { messageDays } }: Policy): Purge => ({
  step: 'delete messages to registrants',
  table: sql`registrant_messages`,
  due: (time) => oldMessages(time, messageDays),
  removeSome: (db, time) =>
    db.run(sql`
      delete from registrant_messages where id = any(array(${oldMessages(time, messageDays)} order by created_at limit ${MAX_DELETED_AT_ONCE}))`),
});

import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { sql } from '../../test/support/sql.ts';

/** Which message follows from which change, one for one. */
const MESSAGES_OF_OPERATION: Readonly<Record<string, readonly string[]>> = {
  transfer: ['transferred_away', 'transferred_in'],
  expire: ['expired'],
  outzone: ['outzoned'],
  release: ['delete_candidate'],
  purge: ['deleted'],
  archive: ['contact_archived'],
  'confirmed registrant change': ['update_confirmed'],
  'rejected registrant change': ['update_rejected'],
  'lapsed registrant change': ['update_lapsed'],
  'failed registrant change': ['update_failed'],
  'confirmed deletion': ['deletion_confirmed'],
  'rejected deletion': ['deletion_rejected'],
  'lapsed deletion': ['deletion_lapsed'],
  'failed deletion': ['deletion_failed'],
};

/** No message is lost or duplicated, and none refers to a missing object. */
export async function auditMessages(db: Sql): Promise<Finding[]> {
  const pairs = Object.entries(MESSAGES_OF_OPERATION).flatMap(([operation, types]) =>
    types.map((type) => ({ operation, type })),
  );
  return db.rows(sql<Finding>`
    with causes as (
      select t.operation, t.type from unnest(${pairs.map(({ operation }) => operation)}::text[], ${pairs.map(({ type }) => type)}::text[]) as t(operation, type)),
    due as (
      select c.type, h.object_name as name, count(*)::int as times from history h join causes c on c.operation = h.operation
      where h.object_kind in ('domain', 'contact') group by 1, 2),
    messages as (
      select m.type, (regexp_match(m.text, '(?:^Domain |^Contact |: )([^ ]+?)\\.?(?: |$)'))[1] as name, count(*)::int as times
      from poll_messages m where m.type in (select type from causes) group by 1, 2)
    select 'messages are not as many as their causes' as finding, coalesce(due.type, messages.type) || ' ' || coalesce(due.name, messages.name, '?') as subject,
      coalesce(due.times, 0)::text as expected, coalesce(messages.times, 0)::text as found
    from due full join messages on messages.type = due.type and messages.name = due.name where due.times is distinct from messages.times
    union all
    select 'a message is attached to what is not there', 'message ' || m.id, m.attached_obj_type || ' ' || m.attached_obj_id, 'none'
    from poll_messages m
    where (m.attached_obj_type = 'Domain' and not exists (select from domains d where d.id = m.attached_obj_id))
      or (m.attached_obj_type = 'Contact' and not exists (select from contacts c where c.id = m.attached_obj_id))`);
}

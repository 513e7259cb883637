import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { sql } from '../../test/support/sql.ts';

/** One holder per name, at every moment that history knows of; and requests to registrants that fit their domains. */
export async function auditNames(db: Sql, now: Date): Promise<Finding[]> {
  return db.rows(sql<Finding>`
    with sponsors as (
      select distinct on (object_id) object_id, registrar_id from history
      where object_kind = 'domain' and operation in ('create', 'transfer') order by object_id, id desc),
    lives as (
      select object_id, object_name as name, min(at) filter (where operation = 'create') as born, max(at) filter (where operation = 'purge') as died
      from history where object_kind = 'domain' group by 1, 2),
    holds as (
      select n.reservation_id as id, v.taken_over_from, n.name, v.granted_at as since,
        least(n.registered_at, v.released_at, v.granted_at + case when v.invoice_number is null then interval '7 days' else interval '1 year' end - interval '1 day') as until
      from reservation_names n join reservations v on v.id = n.reservation_id
      where v.granted_at is not null and n.lost_to is null)
    select 'a domain has another sponsor than its history' as finding, d.name as subject, s.registrar_id::text as expected, d.registrar_id::text as found
    from domains d left join sponsors s on s.object_id = d.id where s.registrar_id is distinct from d.registrar_id
    union all
    select 'a name had two owners at once', one.name, 'one after the other', one.object_id || ' and ' || other.object_id
    from lives one join lives other on other.name = one.name and other.object_id > one.object_id
    where other.born < coalesce(one.died, 'infinity') and one.born < coalesce(other.died, 'infinity')
    union all
    select 'a name is registered and held by a reservation', d.name, 'one of the two', 'reservation ' || coalesce(r.reservation_id::text, 'by the registry')
    from domains d join reserved_names r on r.name = d.name where r.expires_at is null or r.expires_at > ${now}
    union all
    select 'two reservations held a name at once', one.name, 'one after the other', one.id || ' and ' || other.id
    from holds one join holds other on other.name = one.name and other.id > one.id
    where one.since < other.until and other.since < one.until and other.taken_over_from is distinct from one.id and one.taken_over_from is distinct from other.id
    union all
    select 'a name is held for a reservation that does not name it', r.name, 'reservation ' || r.reservation_id, 'none'
    from reserved_names r where r.reservation_id is not null
      and not exists (select from reservation_names n where n.reservation_id = r.reservation_id and n.name = r.name)
    union all
    select 'a domain waits for its registrant, and no request was sent', d.name, 'an open request', 'none'
    from domains d where d.statuses ?| array['pendingUpdate', 'pendingDeleteConfirmation']
      and not exists (select from registrant_requests q where q.domain_id = d.id and q.closed_at is null)
    union all
    select 'a registrant is asked about a domain that does not wait', d.name, 'pendingUpdate or pendingDeleteConfirmation', d.statuses::text
    from registrant_requests q join domains d on d.id = q.domain_id
    where q.closed_at is null and not d.statuses ? case q.kind when 'deletion' then 'pendingDeleteConfirmation' else 'pendingUpdate' end`);
}

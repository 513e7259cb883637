-- compatible: the program before makes no lists by status, so that it uses neither index
-- A domain that changes meanwhile is locked first and read as it is then: its triggers have written its statuses, or will.
insert into domain_statuses (registrar_id, status, domain_id)
select d.registrar_id, status, d.id
from (
  select registrar_id, id, statuses from domains
  where statuses <> '{}' and not exists (select from domain_statuses s where s.domain_id = domains.id)
  limit 10000 for no key update) as d
cross join lateral jsonb_object_keys(d.statuses) as status
on conflict do nothing;
analyze domain_statuses;
drop index concurrently domains_needing_attention;
drop index concurrently domains_with_status;

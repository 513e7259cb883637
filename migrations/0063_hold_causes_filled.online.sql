-- compatible: the program before reads no causes; a change that it makes meanwhile is repeated
-- A domain that changes meanwhile has its causes by its triggers.
update domains d set hold_causes = jsonb_build_array(hold_cause_of(d.statuses, d.outzone_at, now()))
from (
  select domains.id from domain_statuses s join domains on domains.id = s.domain_id
  where s.status = 'serverHold' and domains.statuses ? 'serverHold' and domains.hold_causes = '[]'
  order by domains.id limit 1000 for no key update of domains) as held
where d.id = held.id;
alter table domains validate constraint domains_hold_causes;
analyze domain_hold_causes;

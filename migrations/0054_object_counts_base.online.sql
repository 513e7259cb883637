-- One registrar and kind at a time. A statement sees objects and changes of one moment, so that their difference is what
-- no trigger has counted.
insert into object_counts (registrar_id, kind, is_base, change)
select m.registrar_id, m.kind, true,
  case m.kind
    when 'domain' then (select count(*) from domains d where d.registrar_id = m.registrar_id)
    else (select count(*) from contacts c where c.registrar_id = m.registrar_id) end
  - coalesce((select sum(c.change) from object_counts c where c.registrar_id = m.registrar_id and c.kind = m.kind), 0)
from (
  select r.id as registrar_id, k.kind from registrars r cross join (values ('domain'), ('contact')) as k(kind)
  where not exists (select from object_counts b where b.registrar_id = r.id and b.kind = k.kind and b.is_base)
  limit 1) as m
on conflict do nothing;

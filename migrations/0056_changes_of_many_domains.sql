-- Changes of many domains at once.
-- compatible: the functions mark what they marked before, for statements of any program; the free space is for new pages

-- Half of a page stays free, so that a change of every domain on it finds its place there, and no index is written for it
-- unless an indexed column changes. A domain takes 1 % more of the whole registry.
alter table domains set (fillfactor = 50);

-- Grouped and not joined: the plan is made once in a session, and a join that was planned for one row compares every row
-- with every other.
create or replace function mark_changed_domains() returns trigger language plpgsql as $$
begin
  insert into zone_marks (zone, name)
  select zone, name from (
    select zone, name, statuses ?| array['clientHold', 'serverHold'] as is_held from old_rows
    union all
    select zone, name, statuses ?| array['clientHold', 'serverHold'] from new_rows) as each_row
  group by zone, name having bool_or(is_held) <> bool_and(is_held);
  return null;
end
$$;
-- By what the rows say and not by their ids: a nameserver that replaces another has a new one.
create or replace function mark_domains_of_changed_nameservers() returns trigger language plpgsql as $$
begin
  insert into zone_marks (zone, name)
  select d.zone, d.name
  from (
    select distinct domain_id from (
      select domain_id, hostname, ipv4, ipv6, 1 as side from old_rows
      union all
      select domain_id, hostname, ipv4, ipv6, -1 from new_rows) as each_row
    group by domain_id, hostname, ipv4, ipv6 having sum(side) <> 0) c
  join domains d on d.id = c.domain_id;
  return null;
end
$$;

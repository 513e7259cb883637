-- Which domains of a registrar have a status: the lists and numbers of the console would read every domain otherwise.
-- A projection of domains.statuses, written by the statement that changes them, whichever program runs it.
-- compatible: the program before knows no such table, and its statements fire the triggers
create table domain_statuses (
  registrar_id bigint not null,
  status text collate "C" not null,
  domain_id bigint not null references domains on delete cascade,
  primary key (registrar_id, status, domain_id)
);
create index domain_statuses_domain on domain_statuses (domain_id);
grant select, insert, delete on domain_statuses to cadastre_app;

create function write_domain_statuses() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from domain_statuses s where s.domain_id = old.id and (s.registrar_id <> new.registrar_id or not new.statuses ? s.status);
  end if;
  insert into domain_statuses (registrar_id, status, domain_id)
  select new.registrar_id, status, new.id from jsonb_object_keys(new.statuses) as status
  on conflict do nothing;
  return null;
end
$$;
create trigger domains_statuses_inserted after insert on domains for each row
  when (new.statuses <> '{}') execute function write_domain_statuses();
create trigger domains_statuses_updated after update on domains for each row
  when (old.statuses <> new.statuses or old.registrar_id <> new.registrar_id) execute function write_domain_statuses();

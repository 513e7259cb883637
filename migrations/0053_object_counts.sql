-- How many domains and contacts each registrar has, for lists: as the sum of changes, which concurrent writers append
-- without waiting for each other, and which a job sums up.
-- compatible: the program before does not read the table; the triggers count what it writes
create table object_counts (
  id bigint generated always as identity primary key,
  -- without a foreign key: the rows that are counted have one
  registrar_id bigint not null,
  kind text not null check (kind in ('domain', 'contact')),
  -- what was there before changes were counted; without such a row the sum is not the number of all
  is_base boolean not null default false,
  change bigint not null
);
create index object_counts_registrar on object_counts (registrar_id, kind) include (is_base, change);
create unique index object_counts_base on object_counts (registrar_id, kind) where is_base;
grant select, insert, delete on object_counts to cadastre_app;

create function count_inserted_objects() returns trigger language plpgsql as $$
begin
  insert into object_counts (registrar_id, kind, change)
  select registrar_id, tg_argv[0], count(*) from new_rows group by registrar_id;
  return null;
end
$$;

-- Where everything is emptied at once, the registrars are gone too.
create function count_deleted_objects() returns trigger language plpgsql as $$
begin
  insert into object_counts (registrar_id, kind, change)
  select o.registrar_id, tg_argv[0], -count(*) from old_rows o join registrars r on r.id = o.registrar_id group by o.registrar_id;
  return null;
end
$$;

create function count_moved_object() returns trigger language plpgsql as $$
begin
  insert into object_counts (registrar_id, kind, change) values (old.registrar_id, tg_argv[0], -1), (new.registrar_id, tg_argv[0], 1);
  return null;
end
$$;

create function begin_object_counts() returns trigger language plpgsql as $$
begin
  insert into object_counts (registrar_id, kind, is_base, change) values (new.id, 'domain', true, 0), (new.id, 'contact', true, 0);
  return null;
end
$$;

create trigger registrars_counts after insert on registrars for each row execute function begin_object_counts();

create trigger domains_count_inserted after insert on domains referencing new table as new_rows
  for each statement execute function count_inserted_objects('domain');
create trigger domains_count_deleted after delete on domains referencing old table as old_rows
  for each statement execute function count_deleted_objects('domain');
-- By row, since only then a condition can exclude every other update before it costs anything.
create trigger domains_count_moved after update of registrar_id on domains
  for each row when (old.registrar_id <> new.registrar_id) execute function count_moved_object('domain');

create trigger contacts_count_inserted after insert on contacts referencing new table as new_rows
  for each statement execute function count_inserted_objects('contact');
create trigger contacts_count_deleted after delete on contacts referencing old table as old_rows
  for each statement execute function count_deleted_objects('contact');
create trigger contacts_count_moved after update of registrar_id on contacts
  for each row when (old.registrar_id <> new.registrar_id) execute function count_moved_object('contact');

-- What the DNS publishes: a projection of the domains, written by one writer per zone.
-- compatible: the program before knows none of these tables; the triggers add marks that nobody reads before the upgrade
create table zones (
  id bigint generated always as identity primary key,
  zone text collate "C" not null unique,
  serial bigint not null check (serial between 0 and 4294967295),
  published_at timestamptz not null,
  -- while frozen nothing is published, and marks wait
  frozen_since timestamptz,
  frozen_reason text,
  check ((frozen_since is null) = (frozen_reason is null))
);

-- One row per owner of records: the apex (the empty label), a zone below this one, or a domain with its glue.
create table zone_records (
  zone text collate "C" not null,
  -- A-label, without the zone
  label text collate "C" not null,
  -- the name of the domain in Unicode; null for what the policy publishes
  domain text collate "C",
  records jsonb not null check (jsonb_typeof(records) = 'array'),
  primary key (zone, label)
);
create index zone_records_policy on zone_records (zone, label) where domain is null;

-- The serials that secondaries may ask from, oldest first.
create table zone_serials (
  id bigint generated always as identity primary key,
  zone text collate "C" not null,
  serial bigint not null check (serial between 0 and 4294967295),
  soa jsonb not null,
  published_at timestamptz not null
);
create index zone_serials_zone on zone_serials (zone, id);
create index zone_serials_serial on zone_serials (zone, serial, id);
create index zone_serials_published on zone_serials (published_at);

-- How a serial differs from the one before it.
create table zone_changes (
  serial_id bigint not null references zone_serials on delete cascade,
  label text collate "C" not null,
  removed jsonb not null,
  added jsonb not null,
  primary key (serial_id, label)
);

-- Domains whose records may have changed since they were published. Rows are only added and deleted: a writer deletes
-- what it has read, and a change that commits meanwhile has a mark of its own.
create table zone_marks (
  id bigint generated always as identity primary key,
  zone text collate "C" not null,
  name text collate "C" not null,
  marked_at timestamptz not null default clock_timestamp()
);
create index zone_marks_zone on zone_marks (zone, id);

-- Delegation signers of our zones below other zones of ours.
create table zone_delegation_signers (
  zone text collate "C" not null,
  key_tag integer not null check (key_tag between 0 and 65535),
  algorithm integer not null check (algorithm between 0 and 255),
  digest_type integer not null check (digest_type between 0 and 255),
  digest text not null check (digest ~ '^([0-9A-F]{2})+$'),
  primary key (zone, key_tag, algorithm, digest_type, digest)
);

grant select, insert, update on zones to cadastre_app;
grant select, insert, update, delete on zone_records to cadastre_app;
grant select, insert, delete on zone_serials, zone_changes, zone_marks, zone_delegation_signers to cadastre_app;

-- Marks are made by the statement that changes what is published, whichever program runs it.
create function mark_changed_domains() returns trigger language plpgsql as $$
begin
  insert into zone_marks (zone, name)
  select n.zone, n.name from new_rows n join old_rows o on o.id = n.id
  where (o.statuses ?| array['clientHold', 'serverHold']) <> (n.statuses ?| array['clientHold', 'serverHold']);
  return null;
end
$$;
create function mark_deleted_domains() returns trigger language plpgsql as $$
begin
  insert into zone_marks (zone, name) select zone, name from old_rows;
  return null;
end
$$;
-- Rows that a deletion of their domain deletes find no domain any more: mark_deleted_domains has marked it.
create function mark_domains_of_nameservers() returns trigger language plpgsql as $$
begin
  insert into zone_marks (zone, name)
  select d.zone, d.name from (select distinct domain_id from changed_rows) c join domains d on d.id = c.domain_id;
  return null;
end
$$;
create function mark_domains_of_changed_nameservers() returns trigger language plpgsql as $$
begin
  insert into zone_marks (zone, name)
  select d.zone, d.name
  from (select distinct n.domain_id from new_rows n join old_rows o on o.id = n.id
    where (o.hostname, o.ipv4, o.ipv6) is distinct from (n.hostname, n.ipv4, n.ipv6)) c
  join domains d on d.id = c.domain_id;
  return null;
end
$$;
-- Only keys with the flag of a secure entry point have a DS record.
create function mark_domains_of_keys() returns trigger language plpgsql as $$
begin
  insert into zone_marks (zone, name)
  select d.zone, d.name from (select distinct domain_id from changed_rows where flags = 257) c join domains d on d.id = c.domain_id;
  return null;
end
$$;
create function mark_domains_of_changed_keys() returns trigger language plpgsql as $$
begin
  insert into zone_marks (zone, name)
  select d.zone, d.name
  from (select domain_id from old_rows where flags = 257 union select domain_id from new_rows where flags = 257) c
  join domains d on d.id = c.domain_id;
  return null;
end
$$;

create trigger domains_mark_updated after update on domains
  referencing old table as old_rows new table as new_rows for each statement execute function mark_changed_domains();
create trigger domains_mark_deleted after delete on domains
  referencing old table as old_rows for each statement execute function mark_deleted_domains();
create trigger domain_nameservers_mark_inserted after insert on domain_nameservers
  referencing new table as changed_rows for each statement execute function mark_domains_of_nameservers();
create trigger domain_nameservers_mark_deleted after delete on domain_nameservers
  referencing old table as changed_rows for each statement execute function mark_domains_of_nameservers();
create trigger domain_nameservers_mark_updated after update on domain_nameservers
  referencing old table as old_rows new table as new_rows for each statement execute function mark_domains_of_changed_nameservers();
create trigger domain_keys_mark_inserted after insert on domain_keys
  referencing new table as changed_rows for each statement execute function mark_domains_of_keys();
create trigger domain_keys_mark_deleted after delete on domain_keys
  referencing old table as changed_rows for each statement execute function mark_domains_of_keys();
create trigger domain_keys_mark_updated after update on domain_keys
  referencing old table as old_rows new table as new_rows for each statement execute function mark_domains_of_changed_keys();

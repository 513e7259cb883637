-- compatible: the program before writes none of these columns
-- Whether this database is a copy, and which cluster the original was last seen on. Restoring marks a copy as
-- unconfirmed; an operator then declares it as staging, or as what replaces the original.
alter table installation
  add column copy_state text,
  add column copy_since timestamptz,
  add column copy_reason text,
  add column system_identifier text,
  add column database_oid bigint,
  -- hosts of DATABASE_URL; empty where it leads to the machine itself
  add column database_hosts text[];
alter table installation
  add constraint installation_copy_state check (copy_state in ('unconfirmed', 'staging')) not valid,
  add constraint installation_copy_since check ((copy_state is null) = (copy_since is null)) not valid;
alter table installation validate constraint installation_copy_state;
alter table installation validate constraint installation_copy_since;

-- What was repaired after the database had been taken back to an earlier time.
create table recoveries (
  id bigint generated always as identity primary key,
  recovery_point timestamptz not null,
  at timestamptz not null,
  actor text not null,
  reason text,
  repaired jsonb not null
);

grant update (copy_state, copy_since, copy_reason, system_identifier, database_oid, database_hosts) on installation to cadastre_app;
grant select, insert on recoveries to cadastre_app;

-- small-table: a registrar has a few people, and no released program writes memberships
-- An administrator of a registrar shuts somebody out of that registrar alone; people.disabled_at is for all of them.
alter table memberships add column disabled_at timestamptz;

-- From where the people of a registrar may use the console; without rows from anywhere. allowed_addresses is the list of API users.
create table console_addresses (
  registrar_id bigint not null references registrars,
  range cidr not null,
  note text not null default '',
  created_at timestamptz not null,
  primary key (registrar_id, range)
);
grant select, insert, delete on console_addresses to cadastre_app;

-- Requests that registrars make in the console. The key of the authority lies elsewhere, where an operator signs them.
create table certificate_requests (
  id bigint generated always as identity primary key,
  user_id bigint not null references api_users,
  request text not null check (octet_length(request) <= 20000),
  requested_by text not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  outcome text check (outcome in ('signed', 'refused', 'withdrawn')),
  reason text,
  certificate_serial text,
  check ((closed_at is null) = (outcome is null))
);
create unique index certificate_requests_open on certificate_requests (user_id) where closed_at is null;
create index certificate_requests_user on certificate_requests (user_id, id);
grant select, insert, update on certificate_requests to cadastre_app;

-- Whose signature on a certificate is believed. The keys of our own lie in files, never here.
create table authorities (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  certificate text not null,
  -- of its SHA-256
  fingerprint text collate "C" not null unique check (fingerprint ~ '^[0-9a-f]{64}$'),
  valid_from timestamptz not null,
  valid_until timestamptz not null check (valid_until > valid_from),
  -- we made it and have its key
  own boolean not null,
  -- new certificates come from it
  signs boolean not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  -- the list of what was revoked, as it was signed last; stale when something was revoked since
  revocation_list bytea,
  revocation_list_number integer not null default 0,
  revocation_list_until timestamptz,
  revocation_list_stale boolean not null default true,
  check (own or not signs),
  check (retired_at is null or not signs)
);
create unique index authorities_signing on authorities (signs) where signs;

alter table api_users add unique (id, username);

create table certificates (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  authority_id bigint not null references authorities,
  serial text collate "C" not null check (serial ~ '^[0-9a-f]{1,40}$'),
  fingerprint text collate "C" not null unique check (fingerprint ~ '^[0-9a-f]{64}$'),
  common_name text collate "C" not null,
  certificate text not null,
  valid_from timestamptz not null,
  valid_until timestamptz not null check (valid_until > valid_from),
  created_at timestamptz not null,
  revoked_at timestamptz,
  revocation_reason text,
  -- how many days before its end the registrar was last reminded
  reminded_days integer,
  unique (authority_id, serial),
  check ((revoked_at is null) = (revocation_reason is null)),
  -- a certificate names the user that it is for
  foreign key (user_id, common_name) references api_users (id, username)
);
create index certificates_user on certificates (user_id);
create index certificates_ending on certificates (valid_until) where revoked_at is null;

-- Where a registrar's users may come from; from anywhere where he has none.
create table allowed_addresses (
  registrar_id bigint not null references registrars,
  range cidr not null,
  note text not null default '',
  created_at timestamptz not null,
  primary key (registrar_id, range)
);

grant select, insert, update on authorities, certificates to cadastre_app;
grant select, insert, delete on allowed_addresses to cadastre_app;

-- Servers that transfer the zones, and the keys (TSIG) that they do it with.
-- compatible: the program before knows none of these tables
create table dns_secondaries (
  id bigint generated always as identity primary key,
  name text collate "C" not null check (name ~ '^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$'),
  -- where it is told of new serials
  address inet not null,
  port integer not null check (port between 1 and 65535),
  created_at timestamptz not null,
  removed_at timestamptz
);
create unique index dns_secondaries_name on dns_secondaries (name) where removed_at is null;

create table dns_keys (
  id bigint generated always as identity primary key,
  secondary_id bigint not null references dns_secondaries,
  -- never used again, so that a signature names one key for good
  name text collate "C" not null unique check (name ~ '^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$'),
  algorithm text not null check (algorithm in ('hmac-sha256', 'hmac-sha512')),
  -- as it is: whoever signs needs it. A revoked key has none any more.
  secret bytea,
  created_at timestamptz not null,
  revoked_at timestamptz,
  check ((secret is null) = (revoked_at is not null))
);
create index dns_keys_secondary on dns_keys (secondary_id);

-- The serial that a secondary had when it last said so, or was sent.
create table dns_secondary_serials (
  secondary_id bigint not null references dns_secondaries,
  zone text collate "C" not null,
  serial bigint not null check (serial between 0 and 4294967295),
  at timestamptz not null,
  primary key (secondary_id, zone)
);

grant select, insert, update on dns_secondaries, dns_keys, dns_secondary_serials to cadastre_app;

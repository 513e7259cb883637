-- From where a user came in lately. Guesses at the name from elsewhere do not shut the user out there.
create table login_addresses (
  user_id bigint not null references api_users,
  -- an IPv4 address, or an IPv6 network of 64 bits
  address text collate "C" not null check (address ~ '^[0-9a-f.:]+(/64)?$'),
  -- the last success, or one up to a day before it
  succeeded_at timestamptz not null,
  primary key (user_id, address)
);
create index login_addresses_succeeded on login_addresses (succeeded_at);
grant select, insert, update, delete on login_addresses to cadastre_app;

-- Wrong codes count for the registrar that sends them. Those of the last hour say nothing of it, and are forgotten.
delete from wrong_codes;
alter table wrong_codes
  add column registrar_id bigint not null references registrars,
  -- the sponsor of the domain was told with this one
  add column told boolean not null;
create index wrong_codes_registrar on wrong_codes (registrar_id, name, at);
create index wrong_codes_at on wrong_codes (at);

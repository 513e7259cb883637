-- compatible: the program before knows none of these tables
-- The people who work in the registrars' console. They are not API users, and have no API passwords.

create table people (
  id bigint generated always as identity primary key,
  email text not null check (email <> ''),
  -- as it is compared
  email_key text collate "C" not null unique check (email_key <> ''),
  name text not null check (name <> ''),
  language text not null check (language in ('en', 'et')),
  password_hash text,
  totp_secret bytea check (octet_length(totp_secret) >= 20),
  -- the last time step of which a code was accepted: no code is accepted twice
  totp_last_step bigint,
  -- issuer and subject of an identity provider
  identity text collate "C" unique,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- The registrars that a person works for.
create table memberships (
  person_id bigint not null references people on delete cascade,
  registrar_id bigint not null references registrars,
  roles text[] not null check (cardinality(roles) > 0 and roles <@ array['admin', 'domains', 'billing', 'reader']),
  created_at timestamptz not null,
  primary key (person_id, registrar_id)
);
create index memberships_registrar on memberships (registrar_id);

create table person_sessions (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  person_id bigint not null references people on delete cascade,
  -- the registrar that the person acts for now
  registrar_id bigint not null references registrars,
  factor text not null check (factor in ('password', 'password and code', 'password and recovery code', 'passkey', 'identity provider')),
  address inet not null,
  user_agent text not null,
  created_at timestamptz not null,
  -- when the person last proved who it is
  authenticated_at timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz
);
create index person_sessions_person on person_sessions (person_id);
create index person_sessions_created on person_sessions (created_at);

create table invitations (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  email text not null check (email <> ''),
  name text not null check (name <> ''),
  language text not null check (language in ('en', 'et')),
  registrar_id bigint not null references registrars,
  roles text[] not null check (cardinality(roles) > 0 and roles <@ array['admin', 'domains', 'billing', 'reader']),
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz
);
create index invitations_registrar on invitations (registrar_id, created_at);
create index invitations_created on invitations (created_at);

create table passkeys (
  id bigint generated always as identity primary key,
  person_id bigint not null references people on delete cascade,
  credential_id text collate "C" not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null check (name <> ''),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_person on passkeys (person_id);

create table recovery_codes (
  person_id bigint not null references people on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (person_id, code_hash)
);

-- What a login or the set-up of a factor needs between two requests, used once.
create table login_steps (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  kind text not null check (kind in ('second factor', 'passkey', 'new passkey', 'new code generator', 'identity provider')),
  person_id bigint references people on delete cascade,
  state jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index login_steps_expires on login_steps (expires_at);

grant select, insert, update, delete on people, memberships, person_sessions, invitations, passkeys, recovery_codes, login_steps to cadastre_app;

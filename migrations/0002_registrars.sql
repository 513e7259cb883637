create table registrars (
  id bigint generated always as identity primary key,
  code text collate "C" not null unique check (code ~ '^[A-Z0-9_-]{2,32}$'),
  name text not null check (name <> ''),
  website text not null default '',
  email text,
  suspended_at timestamptz,
  created_at timestamptz not null,
  version integer not null default 1
);

create table api_users (
  id bigint generated always as identity primary key,
  registrar_id bigint not null references registrars,
  username text collate "C" not null unique check (username ~ '^[A-Za-z0-9._@-]{1,64}$'),
  roles text[] not null check (cardinality(roles) > 0 and roles <@ array['super', 'epp', 'billing']),
  password_hash text not null,
  -- the password being replaced stays valid until then
  previous_password_hash text,
  previous_password_until timestamptz,
  disabled_at timestamptz,
  created_at timestamptz not null,
  version integer not null default 1,
  check ((previous_password_hash is null) = (previous_password_until is null))
);
create index api_users_registrar on api_users (registrar_id);

-- Every node compares these versions with what it remembers, so a change reaches all of them.
create function next_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end
$$;
create trigger registrars_version before update on registrars for each row execute function next_version();
create trigger api_users_version before update on api_users for each row execute function next_version();

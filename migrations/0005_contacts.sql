create table contacts (
  id bigint generated always as identity primary key,
  registrar_id bigint not null references registrars,
  code text not null check (code ~ '^[A-Za-z0-9_:.-]{1,100}$'),
  -- lower-case forms: codes are unique without regard to case, both are searched by prefix
  code_key text collate "C" not null unique check (code_key = lower(code collate "C")),
  name text not null check (char_length(name) between 1 and 255),
  name_key text collate "C" not null,
  email text not null check (email <> ''),
  phone text not null check (phone <> ''),
  ident text not null check (ident <> ''),
  ident_type text not null check (ident_type in ('priv', 'org', 'birthday')),
  ident_country_code text not null check (ident_country_code ~ '^[A-Z]{2}$'),
  auth_info text not null,
  -- status name to note; ok and linked are computed and never stand here
  statuses jsonb not null default '{}' check (jsonb_typeof(statuses) = 'object' and not statuses ?| array['ok', 'linked']),
  disclosed_attributes text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1
);
create trigger contacts_version before update on contacts for each row execute function next_version();
create index contacts_by_created on contacts (registrar_id, created_at, id);
create index contacts_by_code on contacts (registrar_id, code_key, id) include (name_key, created_at);
create index contacts_by_name on contacts (registrar_id, name_key, id) include (code_key, created_at);

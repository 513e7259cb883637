-- One row per change, never changed itself. Secrets are not in it.
create table history (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  object_kind text not null,
  object_id bigint not null,
  object_name text not null,
  operation text not null,
  registrar_id bigint,
  actor text not null,
  request_id text,
  reason text,
  before jsonb,
  after jsonb
);
create index history_object_name on history (object_kind, object_name, id);

-- Who had an object that is gone: its last sponsor hears 410, everybody else 404.
create table removed_objects (
  object_kind text not null,
  name_key text collate "C" not null,
  registrar_id bigint not null references registrars,
  removed_at timestamptz not null,
  primary key (object_kind, name_key, registrar_id)
);

-- What this database is, and the switches that every process obeys.
create table installation (
  only_row boolean primary key default true check (only_row),
  kind text not null check (kind in ('sandbox', 'production')),
  created_at timestamptz not null,
  -- how far the sandbox's clock is ahead of the wall clock
  clock_ahead interval not null default interval '0',
  maintenance_since timestamptz,
  maintenance_reason text,
  check (kind = 'sandbox' or clock_ahead = interval '0')
);

create table jobs (
  name text primary key,
  due_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  failure text,
  failures integer not null default 0
);

-- An answer kept with its effect, so that a repeated request repeats the answer and not the effect.
create table idempotency_keys (
  scope text not null,
  key text not null check (char_length(key) between 1 and 255),
  fingerprint bytea not null,
  answer jsonb not null,
  created_at timestamptz not null,
  primary key (scope, key)
);
create index idempotency_keys_created_at on idempotency_keys (created_at);

-- Ends every persisting statement: what was decided on old news is undone as a whole, and decided again.
create function must_hold(held boolean) returns void language plpgsql as $$
begin
  if held is not true then
    raise exception 'the row that the decision rests on has changed' using errcode = 'serialization_failure';
  end if;
end
$$;

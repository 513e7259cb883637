-- Names that the registry gives to nobody.
create table blocked_names (
  name text collate "C" primary key,
  reason text,
  created_at timestamptz not null
);

-- Names kept for the holder of a code; for good when they do not expire.
create table reserved_names (
  name text collate "C" primary key,
  code text not null check (code <> ''),
  expires_at timestamptz,
  created_at timestamptz not null
);

create table disputes (
  id bigint generated always as identity primary key,
  name text collate "C" not null,
  code text not null check (code <> ''),
  starts_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  check (expires_at > starts_at)
);
create unique index disputes_open on disputes (name) where closed_at is null;

-- Wrong transfer and reservation codes of the last hour: guessing has a limit.
create table wrong_codes (
  name text collate "C" not null,
  at timestamptz not null
);
create index wrong_codes_name on wrong_codes (name, at);

-- A name is registered or reserved for somebody, never both: whoever comes second, in whatever order the two
-- statements ran, decides again on what the first has left.
create function refuse_reserved_name() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.name, 0));
  if exists (select from reserved_names r where r.name = new.name and (r.expires_at is null or r.expires_at > new.created_at)) then
    raise exception 'the name % is reserved', new.name using errcode = 'serialization_failure';
  end if;
  return null;
end
$$;
create function refuse_registered_name() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.name, 0));
  if exists (select from domains d where d.name = new.name) then
    raise exception 'the name % is registered', new.name using errcode = 'serialization_failure';
  end if;
  return null;
end
$$;
create trigger domains_one_holder after insert on domains for each row execute function refuse_reserved_name();
create trigger reserved_names_one_holder after insert on reserved_names for each row execute function refuse_registered_name();

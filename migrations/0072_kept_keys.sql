-- The key of a request that made a domain or a contact is kept for as long as the object belongs to its registrar.
-- compatible: the program before writes neither the columns nor the table; its keys are deleted as before

-- What the request has made.
alter table idempotency_keys add column object_kind text;
alter table idempotency_keys add column object_name text;

-- Keys whose answers are stored no longer. Deletion of the object ends them, and so does its transfer.
create table kept_keys (
  scope text not null,
  key text not null check (char_length(key) between 1 and 255),
  fingerprint bytea not null,
  object_kind text not null,
  object_name text not null,
  domain_id bigint references domains on delete cascade,
  contact_id bigint references contacts on delete cascade,
  created_at timestamptz not null,
  primary key (scope, key),
  check (num_nonnulls(domain_id, contact_id) = 1)
);
create unique index kept_keys_domain on kept_keys (domain_id) where domain_id is not null;
create unique index kept_keys_contact on kept_keys (contact_id) where contact_id is not null;
grant select, insert, delete on kept_keys to cadastre_app;

create function end_kept_keys() returns trigger language plpgsql as $$
begin
  delete from kept_keys where domain_id = new.id;
  return null;
end
$$;

create trigger domains_end_kept_keys after update of registrar_id on domains
  for each row when (old.registrar_id is distinct from new.registrar_id) execute function end_kept_keys();

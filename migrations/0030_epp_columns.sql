-- compatible: the program before writes none of these columns
-- What EPP adds to the objects that all interfaces share. The program that uses it belongs to the release after.

-- The postal address of a contact; optional, but never without city and country.
alter table contacts
  add column street text[],
  add column city text,
  add column state text,
  add column postal_code text,
  add column country_code text;
alter table contacts
  add constraint contacts_address check (
    (city is null) = (country_code is null)
    and (city is not null or num_nonnulls(street, state, postal_code) = 0)) not valid,
  add constraint contacts_address_values check (
    city <> '' and country_code ~ '^[A-Z]{2}$' and cardinality(street) between 1 and 3) not valid;
alter table contacts validate constraint contacts_address;
alter table contacts validate constraint contacts_address_values;

-- The client's own transaction id; not unique, since clients repeat theirs.
alter table history add column client_transaction_id text;
alter table registrant_requests
  add column request_id text,
  add column client_transaction_id text,
  -- what the request changes besides the registrant, applied with it
  add column further_changes jsonb;

-- What a message is about, for interfaces that have fields for it: a transfer, the outcome of a pending action, a change.
alter table poll_messages add column details jsonb;

create table transfers (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains on delete cascade,
  losing_registrar_id bigint not null references registrars,
  gaining_registrar_id bigint not null references registrars,
  transferred_at timestamptz not null,
  expire_time timestamptz not null
);
create index transfers_domain on transfers (domain_id, id desc);
create index transfers_losing_registrar on transfers (losing_registrar_id);
create index transfers_gaining_registrar on transfers (gaining_registrar_id);

-- Documents that registrars attach to their requests. They are stored as received, and never parsed.
create table legal_documents (
  id bigint generated always as identity primary key,
  registrar_id bigint not null references registrars,
  object_kind text not null check (object_kind in ('contact', 'domain')),
  object_id bigint not null,
  object_name text not null,
  request_id text not null,
  document_type text not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  content bytea not null,
  received_at timestamptz not null
);
create index legal_documents_object on legal_documents (object_kind, object_name, id);
create index legal_documents_received on legal_documents (received_at);
create index legal_documents_registrar on legal_documents (registrar_id);

grant select, insert on transfers to cadastre_app;
grant select, insert, delete on legal_documents to cadastre_app;

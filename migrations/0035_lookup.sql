-- compatible: the program before writes none of these columns and knows none of these tables
-- What the public look-up (RDAP, WHOIS and the page) needs besides the domains.

-- How the public reaches a registrar.
alter table registrars
  add column phone text,
  add column abuse_email text,
  add column abuse_phone text;
alter table registrars
  add constraint registrars_reached_by check (phone <> '' and abuse_email <> '' and abuse_phone <> '') not valid;
alter table registrars validate constraint registrars_reached_by;

-- What a contact lets the registry publish of it where the policy leaves that to the contact.
alter table contacts
  add constraint contacts_disclosed_attributes
    check (disclosed_attributes <@ array['name', 'email', 'phone', 'address']) not valid;
alter table contacts validate constraint contacts_disclosed_attributes;

-- Those who may see more than the public, for a purpose and until an end.
create table lookup_requesters (
  id bigint generated always as identity primary key,
  name text collate "C" not null unique check (name ~ '^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$'),
  purpose text not null check (purpose <> ''),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);

-- Every query of theirs, recorded before it is answered.
create table lookup_requests (
  id bigint generated always as identity primary key,
  requester_id bigint not null references lookup_requesters,
  at timestamptz not null,
  address inet not null,
  object_kind text not null check (object_kind in ('domain', 'entity', 'nameserver')),
  object_name text not null,
  request_id text not null
);
create index lookup_requests_requester on lookup_requests (requester_id, id);
create index lookup_requests_at on lookup_requests (at);

-- Messages to registrants whose address is not shown. The sender confirms each before it is forwarded.
create table registrant_messages (
  id bigint generated always as identity primary key,
  domain_name text collate "C" not null,
  sender_name text not null check (sender_name <> ''),
  sender_email text not null check (sender_email <> ''),
  language text not null check (language in ('en', 'et')),
  message text not null check (message <> ''),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  forwarded_at timestamptz
);
create index registrant_messages_domain on registrant_messages (domain_name, created_at);
create index registrant_messages_sender on registrant_messages (sender_email, created_at);
create index registrant_messages_created on registrant_messages (created_at);

grant select, insert, update on lookup_requesters to cadastre_app;
grant select, insert, delete on lookup_requests to cadastre_app;
grant select, insert, update, delete on registrant_messages to cadastre_app;

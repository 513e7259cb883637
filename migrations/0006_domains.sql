create table domains (
  id bigint generated always as identity primary key,
  -- Unicode, lower case
  name text collate "C" not null unique,
  registrar_id bigint not null references registrars,
  registrant_id bigint not null references contacts,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expire_time timestamptz not null
);
create index domains_registrant on domains (registrant_id);

create table domain_contacts (
  domain_id bigint not null references domains on delete cascade,
  contact_id bigint not null references contacts,
  role text not null check (role in ('admin', 'tech')),
  primary key (domain_id, contact_id, role)
);
create index domain_contacts_contact on domain_contacts (contact_id, domain_id);

create table domains (
  id bigint generated always as identity primary key,
  -- Unicode, lower case
  name text collate "C" not null unique,
  zone text not null,
  registrar_id bigint not null references registrars,
  registrant_id bigint not null references contacts,
  transfer_code text not null check (char_length(transfer_code) between 8 and 64),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expire_time timestamptz not null,
  outzone_at timestamptz,
  delete_date date,
  force_delete_date date,
  -- status name to note; ok and inactive are computed and never stand here
  statuses jsonb not null default '{}' check (jsonb_typeof(statuses) = 'object' and not statuses ?| array['ok', 'inactive']),
  version integer not null default 1
);
create trigger domains_version before update on domains for each row execute function next_version();
create index domains_registrant on domains (registrant_id, id);
create index domains_by_name on domains (registrar_id, name, id) include (created_at, expire_time);
create index domains_by_created on domains (registrar_id, created_at, id);
create index domains_by_expiry on domains (registrar_id, expire_time, id);

create table domain_contacts (
  domain_id bigint not null references domains on delete cascade,
  contact_id bigint not null references contacts,
  role text not null check (role in ('admin', 'tech')),
  primary key (domain_id, role, contact_id)
);
create index domain_contacts_contact on domain_contacts (contact_id, domain_id, role);

create table domain_nameservers (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains on delete cascade,
  hostname text collate "C" not null,
  ipv4 text[] not null default '{}',
  ipv6 text[] not null default '{}',
  unique (domain_id, hostname)
);
create index domain_nameservers_hostname on domain_nameservers (hostname, domain_id);

create table domain_keys (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domains on delete cascade,
  flags integer not null check (flags in (256, 257)),
  protocol integer not null check (protocol = 3),
  alg integer not null,
  public_key text not null,
  -- the delegation signer record that the zone publishes
  key_tag integer not null,
  digest_type integer not null,
  digest text not null,
  unique (domain_id, public_key)
);

-- What a registrant was asked to confirm: kept as it was asked, until it is decided or lapses.
create table registrant_requests (
  domain_id bigint primary key references domains on delete cascade,
  kind text not null check (kind in ('registrant change', 'deletion')),
  new_registrant_id bigint references contacts,
  new_transfer_code text,
  registrar_id bigint not null references registrars,
  requested_by text not null,
  requested_at timestamptz not null,
  lapses_at timestamptz not null,
  check ((kind = 'registrant change') = (new_registrant_id is not null))
);
create index registrant_requests_lapse on registrant_requests (lapses_at);
create index registrant_requests_registrant on registrant_requests (new_registrant_id);

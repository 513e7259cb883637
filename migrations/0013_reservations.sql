-- Names that the business portal keeps for founders of companies: free for a week, or paid for a year.

create table portal_tokens (
  id bigint generated always as identity primary key,
  name text not null unique,
  -- SHA-256 of the token
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz
);

create table reservations (
  id bigint generated always as identity primary key,
  user_unique_id text not null unique check (user_unique_id ~ '^[0-9A-Za-z_-]{10}$'),
  -- paid ones have an invoice
  invoice_number bigint unique references invoices,
  -- the free reservation whose names the paid one takes over
  taken_over_from bigint references reservations,
  created_at timestamptz not null,
  -- when its names were granted, once for good, or taken back
  granted_at timestamptz,
  released_at timestamptz,
  check (released_at is null or granted_at is not null)
);

-- Every name that was asked for and could be had at that time; codes stand with the reserved names alone.
create table reservation_names (
  reservation_id bigint not null references reservations,
  name text collate "C" not null,
  place integer not null,
  -- it was registered with the code of this reservation
  registered_at timestamptz,
  -- somebody else had it when this one was paid
  lost_to text check (lost_to in ('registration', 'reservation')),
  primary key (reservation_id, name)
);

alter table reserved_names add column reservation_id bigint references reservations;
create index reserved_names_reservation on reserved_names (reservation_id) where reservation_id is not null;
create index reserved_names_expired on reserved_names (expires_at) where expires_at is not null;

-- When the provider was last asked about a payment.
alter table payments add column asked_at timestamptz;

grant select, insert, update, delete on portal_tokens, reservations, reservation_names to cadastre_app;

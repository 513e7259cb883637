-- What the bank tells of our accounts: payments that came in, and what it took back of them. Amounts are cents.
create table bank_entries (
  id bigint generated always as identity primary key,
  account text not null check (account ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  -- the bank's own of the entry that it stands in; the payments of one entry share it
  entry_reference text,
  -- an entry of several payments which the bank does not tell apart
  undivided boolean not null,
  direction text not null check (direction in ('credit', 'debit')),
  -- it takes back what was booked before
  returns boolean not null,
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  booked_on date not null,
  reference_number text,
  description text not null,
  end_to_end_id text,
  party_name text,
  party_account text,
  -- the message of the bank that it first came with
  source text not null,
  imported_at timestamptz not null,
  status text not null check (status in ('unmatched', 'booked', 'aside')),
  -- why no rule could book it
  why text not null check (why in ('', 'reference missing', 'reference unknown', 'references several', 'reference used twice', 'amount', 'currency',
    'batch', 'return', 'no number')),
  invoice_number bigint references invoices,
  -- the payment that it is, or that it took back
  payment_reference text references payments,
  check ((status = 'booked') = (invoice_number is not null)),
  check ((status = 'booked') = (payment_reference is not null)),
  check (direction = 'credit' or returns)
);
-- An invoice is paid by one payment of the bank, and taken back by one.
create unique index bank_entries_invoice on bank_entries (invoice_number, direction) where invoice_number is not null;
create unique index bank_entries_payment on bank_entries (payment_reference) where direction = 'credit' and payment_reference is not null;
create index bank_entries_unmatched on bank_entries (id) where status = 'unmatched';
create index bank_entries_entry on bank_entries (account, entry_reference) where entry_reference is not null;
create index bank_entries_end_to_end on bank_entries (account, end_to_end_id) where end_to_end_id is not null;

-- Every name under which the bank may tell of a payment again: nobody is credited twice.
create table bank_entry_names (
  account text not null,
  name text not null,
  entry_id bigint not null references bank_entries,
  primary key (account, name)
);

-- What became of each, by whom and why.
create table bank_entry_changes (
  id bigint generated always as identity primary key,
  entry_id bigint not null references bank_entries,
  from_status text,
  to_status text not null,
  invoice_number bigint,
  at timestamptz not null,
  actor text not null,
  reason text
);
create index bank_entry_changes_entry on bank_entry_changes (entry_id, id);

-- What a transfer may pay.
create index invoices_payable on invoices (reference_number, amount, number)
  where reference_number is not null and status in ('unpaid', 'failed', 'overdue');

grant select, insert on bank_entries, bank_entry_names, bank_entry_changes to cadastre_app;
grant update (status, why, invoice_number, payment_reference) on bank_entries to cadastre_app;

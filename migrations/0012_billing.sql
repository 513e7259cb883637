-- Invoices of the registry's services, the payments for them, and what follows from those. Amounts are cents.

-- Every number that was ever handed out, and to whom: nobody else may issue an invoice under it.
create table invoice_numbers (
  number bigint primary key check (number > 0),
  initiator text not null check (initiator in ('registry', 'auction', 'eeid', 'business_registry')),
  handed_out_at timestamptz not null,
  unique (number, initiator)
);
create table invoice_ranges (
  name text primary key,
  -- everything below it was handed out
  next_number bigint not null
);

-- The lowest number of a range that was never handed out; null when none is left. Who asks at the same time waits, so
-- that a number taken in a transaction that fails is the next one's.
create function take_invoice_number(range text, first bigint, last bigint, asker text, at timestamptz)
returns bigint language plpgsql as $$
declare candidate bigint;
begin
  insert into invoice_ranges (name, next_number) values (range, first) on conflict (name) do nothing;
  select greatest(next_number, first) into candidate from invoice_ranges where name = range for update;
  -- What imports have taken is passed over at once, however much that is.
  if exists (select from invoice_numbers where number = candidate) then
    select min(taken.number) + 1 into candidate from invoice_numbers taken
    where taken.number between candidate and last
      and not exists (select from invoice_numbers following where following.number = taken.number + 1);
  end if;
  while candidate <= last loop
    insert into invoice_numbers (number, initiator, handed_out_at) values (candidate, asker, at) on conflict (number) do nothing;
    if found then
      update invoice_ranges set next_number = candidate + 1 where name = range;
      return candidate;
    end if;
    candidate := candidate + 1;
  end loop;
  return null;
end
$$;

create table reference_numbers (
  number text primary key check (number ~ '^[0-9]{2,20}$'),
  initiator text not null check (initiator in ('registry', 'auction', 'eeid', 'business_registry')),
  owner text,
  email text,
  -- brought along from an older system, where an owner could have several
  imported boolean not null default false,
  created_at timestamptz not null
);
create unique index reference_numbers_owner on reference_numbers (initiator, owner) where owner is not null and not imported;
create index reference_numbers_of_owner on reference_numbers (initiator, owner, created_at) where owner is not null;

create table payments (
  -- the provider's own, or elsewhere-<invoice> for what was paid without him
  reference text primary key check (reference ~ '^[A-Za-z0-9_-]{1,128}$'),
  invoice_number bigint,
  elsewhere boolean not null default false,
  -- what the provider told last; none before he was asked
  state text,
  initial_amount bigint,
  standing_amount bigint,
  answer jsonb,
  -- what is booked for it follows what stands: the shares of its invoices, and what is to be paid back
  booked bigint not null default 0 check (booked >= 0),
  surplus bigint not null default 0 check (surplus between 0 and booked),
  -- it was booked once and taken back as a whole
  reversed boolean not null default false,
  -- a person has judged what stood then: as long as it stands it is not held again
  judged_amount bigint,
  -- paid back without the provider, who therefore goes on telling of it
  returned_elsewhere bigint not null default 0 check (returned_elsewhere >= 0),
  link text,
  customer_url text,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- the provider may still tell something new
  open boolean not null default true,
  -- when the provider is to be asked, and until when somebody is at it
  ask_at timestamptz,
  asking_until timestamptz,
  attempts integer not null default 0,
  -- it is asked because nothing was heard, not because somebody called
  unprompted boolean not null default false,
  -- questions are numbered: an answer that is older than one already applied tells nothing
  asked bigint not null default 0,
  answered bigint not null default 0
);
create index payments_to_ask on payments ((least(ask_at, asking_until)), reference) where ask_at is not null or asking_until is not null;
create index payments_open on payments (reference) where open;
create index payments_invoice on payments (invoice_number, created_at);

create table invoices (
  number bigint primary key,
  initiator text not null,
  kind text not null check (kind in ('invoice', 'deposit', 'bulk', 'top-up')),
  status text not null check (status in ('unpaid', 'paid', 'failed', 'cancelled', 'overdue', 'refunded')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount > 0),
  net bigint not null check (net >= 0),
  vat bigint not null check (vat >= 0),
  vat_percent numeric(5, 2) not null check (vat_percent >= 0),
  description text not null,
  -- what the caller asked to be told again
  custom_field text,
  buyer_name text,
  buyer_email text,
  reference_number text,
  registrar_id bigint references registrars,
  -- issued by the registrar's threshold, not by a person
  automatic boolean not null default false,
  imported boolean not null default false,
  deposit_domain text,
  deposit_user text,
  deposit_email text,
  issued_at timestamptz not null,
  due_date date not null,
  paid_by text references payments,
  paid_at timestamptz,
  foreign key (number, initiator) references invoice_numbers (number, initiator),
  check (net + vat = amount),
  check ((kind = 'top-up') = (registrar_id is not null)),
  check (paid_by is null or status in ('paid', 'refunded'))
);
alter table payments add foreign key (invoice_number) references invoices;
create index invoices_registrar on invoices (registrar_id, number desc) where registrar_id is not null;
create index invoices_deposit on invoices (initiator, deposit_domain, deposit_user, number desc) where deposit_domain is not null;
create index invoices_due on invoices (due_date, number) where status = 'unpaid';
create index invoices_overdue on invoices (due_date, number) where status = 'overdue';
create index invoices_paid_by on invoices (paid_by) where paid_by is not null;

create table invoice_lines (
  invoice_number bigint not null references invoices,
  position integer not null check (position > 0),
  description text not null,
  quantity integer not null check (quantity > 0),
  -- of the whole line
  net bigint not null check (net >= 0),
  primary key (invoice_number, position)
);

-- What a bulk invoice pays for.
create table bulk_items (
  bulk_number bigint not null references invoices,
  invoice_number bigint not null references invoices,
  primary key (bulk_number, invoice_number),
  check (bulk_number <> invoice_number)
);
create index bulk_items_invoice on bulk_items (invoice_number);

-- Every change of a status, with the id under which the calling service is told of it.
create table invoice_changes (
  id uuid primary key default gen_random_uuid(),
  place bigint generated always as identity unique,
  invoice_number bigint not null references invoices,
  from_status text,
  to_status text not null,
  payment_reference text references payments,
  at timestamptz not null,
  actor text not null,
  reason text
);
create index invoice_changes_invoice on invoice_changes (invoice_number, place);

-- How what is booked for a payment is divided among invoices.
create table payment_shares (
  payment_reference text not null references payments,
  invoice_number bigint not null references invoices,
  booked bigint not null check (booked >= 0),
  primary key (payment_reference, invoice_number)
);
create index payment_shares_invoice on payment_shares (invoice_number);

-- What the callback was told. It proves nothing, and a reference may be anybody's invention.
create table payment_events (
  id bigint generated always as identity primary key,
  payment_reference text,
  event_name text,
  at timestamptz not null
);
create index payment_events_reference on payment_events (payment_reference, id) where payment_reference is not null;
create index payment_events_at on payment_events (at);

create table refunds (
  id bigint generated always as identity primary key,
  payment_reference text not null references payments,
  amount bigint not null check (amount > 0),
  -- whose share of the payment goes back; none for money that no invoice took
  invoice_number bigint references invoices,
  reason text not null,
  actor text not null,
  -- the provider refuses a nonce that he has seen: a request that is repeated pays back once
  nonce uuid not null default gen_random_uuid() unique,
  created_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  -- the provider has taken the order; from now on he is only asked what became of it
  sent_at timestamptz,
  last_error text,
  closed_at timestamptz,
  check ((state = 'waiting') = (closed_at is null))
);
create index refunds_due on refunds (next_attempt_at, id) where state = 'waiting';
create index refunds_payment on refunds (payment_reference, id);

-- What a person has to judge.
create table held_payments (
  id bigint generated always as identity primary key,
  payment_reference text not null references payments,
  invoice_number bigint references invoices,
  kind text not null,
  detail text not null,
  at timestamptz not null,
  closed_at timestamptz,
  closed_by text,
  resolution text,
  reason text,
  check ((closed_at is null) = (resolution is null))
);
create unique index held_payments_open on held_payments (payment_reference, kind) where closed_at is null;
create index held_payments_invoice on held_payments (invoice_number);

-- What the provider knew and we did not, found when nobody had called.
create table payment_differences (
  id bigint generated always as identity primary key,
  payment_reference text not null references payments,
  invoice_number bigint,
  known_state text,
  found_state text not null,
  known_amount bigint,
  found_amount bigint not null,
  at timestamptz not null
);

-- Messages to other services, written in the transaction that causes them and sent by a worker afterwards.
create table deliveries (
  -- the same at every attempt: whoever gets a message twice can tell
  id uuid primary key,
  place bigint generated always as identity unique,
  target text not null,
  kind text not null,
  invoice_number bigint references invoices,
  body text not null,
  created_at timestamptz not null,
  attempts integer not null default 0 check (attempts >= 0),
  -- set ahead when an attempt begins, so that one cut off by a crash is made again
  next_attempt_at timestamptz not null,
  try_until timestamptz not null,
  delivered_at timestamptz,
  gave_up_at timestamptz,
  last_error text,
  check (delivered_at is null or gave_up_at is null)
);
create index deliveries_due on deliveries (next_attempt_at, place) where delivered_at is null and gave_up_at is null;
create index deliveries_given_up on deliveries (gave_up_at, place) where gave_up_at is not null;
create index deliveries_invoice on deliveries (invoice_number, place);

-- The registrar is sent an invoice over this amount when his balance falls to the threshold.
alter table registrars
  add column top_up_at bigint check (top_up_at >= 0),
  add column top_up_amount bigint check (top_up_amount > 0),
  add check ((top_up_at is null) = (top_up_amount is null));

alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check
  check (kind in ('registrar', 'debt', 'opening', 'payments', 'revenue', 'corrections', 'sales', 'vat', 'surplus'));
insert into ledger_accounts (kind, currency)
select new.kind, known.currency from (select distinct currency from ledger_accounts) known cross join (values ('sales'), ('vat'), ('surplus')) as new(kind);
alter table ledger_entries
  add column payment_reference text references payments,
  add column invoice_number bigint references invoices;
create index ledger_entries_payment on ledger_entries (payment_reference) where payment_reference is not null;

-- Money for a registrar repays his debt first; the rest raises his balance. A debt is what he owes: it grows by what is
-- taken from its account and falls by what comes in.
create function credit_registrar(of_registrar bigint, source bigint, amount bigint, entry ledger_entries)
returns bigint language plpgsql as $$
declare
  own ledger_accounts;
  owed ledger_accounts;
  repaid bigint;
begin
  select * into strict own from ledger_accounts where registrar_id = of_registrar and kind = 'registrar' for update;
  select * into strict owed from ledger_accounts where registrar_id = of_registrar and kind = 'debt' for update;
  repaid := least(owed.balance, amount);
  if repaid > 0 then
    update ledger_accounts set balance = balance - repaid, moved_at = greatest(moved_at, entry.at) where id = owed.id;
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, actor, request_id, reason, payment_reference, invoice_number)
    values (entry.at, source, owed.id, repaid, entry.operation, entry.description, entry.actor, entry.request_id, entry.reason, entry.payment_reference, entry.invoice_number);
  end if;
  if amount > repaid then
    update ledger_accounts set balance = balance + amount - repaid, moved_at = greatest(moved_at, entry.at) where id = own.id returning * into own;
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor, request_id, reason, payment_reference, invoice_number)
    values (own.moved_at, source, own.id, amount - repaid, entry.operation, entry.description, of_registrar, own.balance, entry.actor, entry.request_id, entry.reason, entry.payment_reference, entry.invoice_number);
  end if;
  return own.balance;
end
$$;

-- Takes back what a registrar was credited: his balance as far as it goes, and the rest becomes his debt.
create function reverse_credit(of_registrar bigint, destination bigint, amount bigint, entry ledger_entries)
returns bigint language plpgsql as $$
declare
  own ledger_accounts;
  owed ledger_accounts;
  covered bigint;
begin
  select * into strict own from ledger_accounts where registrar_id = of_registrar and kind = 'registrar' for update;
  select * into strict owed from ledger_accounts where registrar_id = of_registrar and kind = 'debt' for update;
  covered := least(own.balance, amount);
  if covered > 0 then
    update ledger_accounts set balance = balance - covered, moved_at = greatest(moved_at, entry.at) where id = own.id returning * into own;
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor, request_id, reason, payment_reference, invoice_number)
    values (own.moved_at, own.id, destination, covered, entry.operation, entry.description, of_registrar, own.balance, entry.actor, entry.request_id, entry.reason, entry.payment_reference, entry.invoice_number);
  end if;
  if amount > covered then
    update ledger_accounts set balance = balance + amount - covered, moved_at = greatest(moved_at, entry.at) where id = owed.id;
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, actor, request_id, reason, payment_reference, invoice_number)
    values (entry.at, owed.id, destination, amount - covered, entry.operation, entry.description, entry.actor, entry.request_id, entry.reason, entry.payment_reference, entry.invoice_number);
  end if;
  return own.balance;
end
$$;

-- A replayed answer has its members in the order in which they were first given.
alter table idempotency_keys alter column answer type json using answer::json;

grant select, insert, update, delete on invoice_numbers, invoice_ranges, reference_numbers, payments, invoices, invoice_lines, bulk_items,
  payment_shares, refunds, held_payments, deliveries, payment_events to cadastre_app;
grant select, insert on invoice_changes, payment_differences to cadastre_app;

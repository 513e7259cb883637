-- Every entry moves an amount above zero from one account to another, so each balances by construction.
-- Only registrar and debt accounts carry a running balance; the balance of any other account is the sum of its entries.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('registrar', 'debt', 'opening', 'payments', 'revenue', 'corrections')),
  registrar_id bigint references registrars,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  balance bigint,
  -- when the balance last moved; never earlier than before, whatever order requests came in
  moved_at timestamptz,
  check ((kind in ('registrar', 'debt')) = (registrar_id is not null)),
  check ((registrar_id is not null) = (balance is not null)),
  constraint ledger_balance_covers check (balance >= 0)
);
create unique index ledger_accounts_registrar on ledger_accounts (registrar_id, kind) where registrar_id is not null;
create unique index ledger_accounts_shared on ledger_accounts (kind, currency) where registrar_id is null;

create table ledger_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  debit_account bigint not null references ledger_accounts,
  credit_account bigint not null references ledger_accounts,
  amount bigint not null check (amount > 0),
  operation text not null,
  description text not null,
  -- the registrar whose balance the entry moves, and that balance after it
  registrar_id bigint,
  balance_after bigint check (balance_after >= 0),
  -- the change that was paid for: one charge each
  history_id bigint unique references history,
  actor text not null,
  request_id text,
  reason text,
  check (debit_account <> credit_account),
  check ((registrar_id is null) = (balance_after is null))
);
create index ledger_entries_registrar on ledger_entries (registrar_id, at desc, id desc) where registrar_id is not null;

-- What an operation costs: of the rows that are valid on a day the youngest counts.
create table prices (
  id bigint generated always as identity primary key,
  zone text not null,
  operation text not null check (operation in ('create', 'renew')),
  months integer not null check (months in (3, 6, 9) or (months % 12 = 0 and months between 12 and 120)),
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  valid_from date not null,
  valid_until date,
  check (valid_until >= valid_from),
  unique (zone, operation, months, valid_from)
);

-- Every entry moves an amount above zero from one account to another, so each balances by construction.
-- Only registrar and debt accounts carry a running balance; the balance of any other account is the sum of its entries.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('registrar', 'debt', 'opening', 'payments', 'revenue', 'corrections')),
  registrar_id bigint references registrars,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  balance bigint,
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
  -- the balance of the registrar's account after this entry
  balance_after bigint check (balance_after >= 0),
  actor text not null,
  request_id text,
  check (debit_account <> credit_account)
);
create index ledger_entries_debit on ledger_entries (debit_account, id);
create index ledger_entries_credit on ledger_entries (credit_account, id);

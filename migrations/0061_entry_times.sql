-- The time of an entry is never before that of the registrar's last one, unless that lies so far ahead that a wrong clock
-- has written it: otherwise every later entry would bear the wrong time too.
-- compatible: a new function, and two that are called as before
create function entry_time(last timestamptz, at timestamptz)
returns timestamptz language sql immutable as $$
  select case when last > at + interval '15 minutes' then at else greatest(last, at) end
$$;

create or replace function credit_registrar(of_registrar bigint, source bigint, amount bigint, entry ledger_entries)
returns bigint language plpgsql as $$
declare
  own ledger_accounts;
  owed ledger_accounts;
  repaid bigint;
begin
  select * into strict own from ledger_accounts where registrar_id = of_registrar and kind = 'registrar' for update;
  select * into strict owed from ledger_accounts where registrar_id = of_registrar and kind = 'debt' for update;
  repaid := least(owed.balance, amount);
  update ledger_accounts set balance = balance + amount, balance_changed_at = entry_time(balance_changed_at, entry.at) where id = own.id returning * into own;
  insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor, request_id, reason, payment_reference, invoice_number)
  values (own.balance_changed_at, source, own.id, amount, entry.operation, entry.description, of_registrar, own.balance, entry.actor, entry.request_id, entry.reason, entry.payment_reference, entry.invoice_number);
  if repaid > 0 then
    update ledger_accounts set balance = balance - repaid, balance_changed_at = entry_time(balance_changed_at, own.balance_changed_at) where id = owed.id;
    update ledger_accounts set balance = balance - repaid where id = own.id returning * into own;
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor, request_id, reason)
    values (own.balance_changed_at, own.id, owed.id, repaid, 'debt repayment', 'Repayment of debt by: ' || entry.description, of_registrar, own.balance, entry.actor, entry.request_id, entry.reason);
  end if;
  return own.balance;
end
$$;

create or replace function reverse_credit(of_registrar bigint, destination bigint, amount bigint, entry ledger_entries)
returns bigint language plpgsql as $$
declare
  own ledger_accounts;
  owed ledger_accounts;
  lent bigint;
begin
  select * into strict own from ledger_accounts where registrar_id = of_registrar and kind = 'registrar' for update;
  select * into strict owed from ledger_accounts where registrar_id = of_registrar and kind = 'debt' for update;
  lent := greatest(amount - own.balance, 0);
  if lent > 0 then
    update ledger_accounts set balance = balance + lent, balance_changed_at = entry_time(balance_changed_at, entry.at) where id = own.id returning * into own;
    update ledger_accounts set balance = balance + lent, balance_changed_at = entry_time(balance_changed_at, own.balance_changed_at) where id = owed.id;
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor, request_id, reason)
    values (own.balance_changed_at, owed.id, own.id, lent, 'debt incurred', 'Debt incurred by: ' || entry.description, of_registrar, own.balance, entry.actor, entry.request_id, entry.reason);
  end if;
  update ledger_accounts set balance = balance - amount, balance_changed_at = entry_time(balance_changed_at, entry.at) where id = own.id returning * into own;
  insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor, request_id, reason, payment_reference, invoice_number)
  values (own.balance_changed_at, own.id, destination, amount, entry.operation, entry.description, of_registrar, own.balance, entry.actor, entry.request_id, entry.reason, entry.payment_reference, entry.invoice_number);
  return own.balance;
end
$$;

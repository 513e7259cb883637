-- Names by the terms of the field: columns, tables, indexes and functions, and the jobs that are stored by name. No row
-- but the names of jobs changes, and every rename is a change of the catalogue alone, so it is quick on a large database.
-- Processes of the version before cannot use a database with these names: they are stopped before it, as for every
-- migration (docs/operations.md, Upgrading). Queries of operators' own, such as those of reports, have to be adjusted.

alter table payments rename column elsewhere to external;
alter table payments rename column returned_elsewhere to returned_externally;
-- the standing amount for which an operator has resolved a hold: it is not held again for the same amount
alter table payments rename column judged_amount to resolved_amount;
-- when the provider is to be polled, and until when a process holds the lease to poll
alter table payments rename column ask_at to poll_at;
alter table payments rename column asking_until to poll_lease_until;
alter table payments rename column asked_at to polled_at;
-- the number of the last poll, and of the last one whose answer was applied
alter table payments rename column asked to poll_number;
alter table payments rename column answered to answered_poll_number;
-- the next poll is due without a callback
alter table payments rename column unprompted to scheduled_poll;
alter table payments rename constraint payments_returned_elsewhere_check to payments_returned_externally_check;
alter index payments_to_ask rename to payments_to_poll;

alter table callback_callers rename column proven_at to verified_at;
alter index callback_callers_proven rename to callback_callers_verified;
alter table lookup_pace rename to lookup_rate_limit;
alter table lookup_rate_limit rename constraint lookup_pace_pkey to lookup_rate_limit_pkey;
alter table lookup_rate_limit rename constraint lookup_pace_granted_check to lookup_rate_limit_granted_check;
alter table lookup_rate_limit rename constraint lookup_pace_only_row_check to lookup_rate_limit_only_row_check;

-- an entry of several payments that the bank does not list one by one
alter table bank_entries rename column undivided to batch_booking;
alter table bank_entries rename column returns to is_return;
alter table bank_entries rename column why to unmatched_reason;
alter table bank_entries rename constraint bank_entries_why_check to bank_entries_unmatched_reason_check;
-- the keys by which a second report of the same payment is recognized
alter table bank_entry_names rename to bank_entry_keys;
alter table bank_entry_keys rename column name to key;
alter table bank_entry_keys rename constraint bank_entry_names_pkey to bank_entry_keys_pkey;
alter table bank_entry_keys rename constraint bank_entry_names_entry_id_fkey to bank_entry_keys_entry_id_fkey;

alter table deliveries rename column place to sequence_number;
alter table deliveries rename constraint deliveries_place_key to deliveries_sequence_number_key;
alter sequence deliveries_place_seq rename to deliveries_sequence_number_seq;
alter table invoice_changes rename column place to sequence_number;
alter table invoice_changes rename constraint invoice_changes_place_key to invoice_changes_sequence_number_key;
alter sequence invoice_changes_place_seq rename to invoice_changes_sequence_number_seq;
alter table reservation_names rename column place to position;
alter index invoice_exports_standing rename to invoice_exports_current;

alter table monthly_statements rename column moved to net_change;
alter table monthly_statements rename column debt_grown to debt_incurred;
alter table monthly_statements rename constraint monthly_statements_debt_grown_check to monthly_statements_debt_incurred_check;
alter table monthly_statements rename column made_at to created_at;

alter table registrars rename column top_up_at to top_up_threshold;
alter table registrars rename constraint registrars_top_up_at_check to registrars_top_up_threshold_check;
alter table registrant_requests rename column lapses_at to expires_at;
alter index registrant_requests_lapse rename to registrant_requests_expiry;
alter table wrong_codes rename column told to sponsor_notified;
alter table installation rename column clock_ahead to clock_offset;
alter index contacts_alike rename to contacts_same_identity;
alter index certificates_ending rename to certificates_expiring;

alter table limited_work rename to job_step_counts;
alter table job_step_counts rename constraint limited_work_pkey to job_step_counts_pkey;
alter table job_step_counts rename constraint limited_work_check to job_step_counts_check;
alter table job_step_counts rename constraint limited_work_count_check to job_step_counts_count_check;
alter table jobs rename column every_ms to interval_ms;
alter table jobs rename column took_ms to duration_ms;
update jobs set name = renamed.new_name
from (values
  ('follow due dates', 'process due dates'),
  ('clean reservations', 'expire reservations'),
  ('cancel hopeless reservations', 'cancel unfulfillable invoices'),
  ('forget stray events', 'delete unmatched payment events'),
  ('forget old login addresses', 'delete old login addresses'),
  ('forget old wrong codes', 'delete old wrong codes'),
  ('forget old idempotency keys', 'delete old idempotency keys'),
  ('forget old mails', 'delete old mails'),
  ('ask about payments', 'poll payments'),
  ('ask about unknown payments', 'poll unknown payments')) as renamed (old_name, new_name)
where jobs.name = renamed.old_name;

-- These raise a serialization failure where what they require does not hold.
alter function must_hold(boolean) rename to require_unchanged;
alter function refuse_reserved_name() rename to require_name_not_reserved;
alter function refuse_registered_name() rename to require_name_not_registered;

-- Bodies of functions do not follow the rename of a column: those that name one are written again, otherwise unchanged.
alter table ledger_accounts rename column moved_at to balance_changed_at;
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
  if repaid > 0 then
    update ledger_accounts set balance = balance - repaid, balance_changed_at = greatest(balance_changed_at, entry.at) where id = owed.id;
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, actor, request_id, reason, payment_reference, invoice_number)
    values (entry.at, source, owed.id, repaid, entry.operation, entry.description, entry.actor, entry.request_id, entry.reason, entry.payment_reference, entry.invoice_number);
  end if;
  if amount > repaid then
    update ledger_accounts set balance = balance + amount - repaid, balance_changed_at = greatest(balance_changed_at, entry.at) where id = own.id returning * into own;
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor, request_id, reason, payment_reference, invoice_number)
    values (own.balance_changed_at, source, own.id, amount - repaid, entry.operation, entry.description, of_registrar, own.balance, entry.actor, entry.request_id, entry.reason, entry.payment_reference, entry.invoice_number);
  end if;
  return own.balance;
end
$$;

create or replace function reverse_credit(of_registrar bigint, destination bigint, amount bigint, entry ledger_entries)
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
    update ledger_accounts set balance = balance - covered, balance_changed_at = greatest(balance_changed_at, entry.at) where id = own.id returning * into own;
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor, request_id, reason, payment_reference, invoice_number)
    values (own.balance_changed_at, own.id, destination, covered, entry.operation, entry.description, of_registrar, own.balance, entry.actor, entry.request_id, entry.reason, entry.payment_reference, entry.invoice_number);
  end if;
  if amount > covered then
    update ledger_accounts set balance = balance + amount - covered, balance_changed_at = greatest(balance_changed_at, entry.at) where id = owed.id;
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, actor, request_id, reason, payment_reference, invoice_number)
    values (entry.at, owed.id, destination, amount - covered, entry.operation, entry.description, entry.actor, entry.request_id, entry.reason, entry.payment_reference, entry.invoice_number);
  end if;
  return own.balance;
end
$$;

alter table invoice_numbers rename column handed_out_at to allocated_at;
drop function take_invoice_number(text, bigint, bigint, text, timestamptz);
create function allocate_invoice_number(range text, first bigint, last bigint, for_initiator text, at timestamptz)
returns bigint language plpgsql as $$
declare candidate bigint;
begin
  insert into invoice_ranges (name, next_number) values (range, first) on conflict (name) do nothing;
  select greatest(next_number, first) into candidate from invoice_ranges where name = range for update;
  -- Numbers that imports have taken are skipped in one step.
  if exists (select from invoice_numbers where number = candidate) then
    select min(taken.number) + 1 into candidate from invoice_numbers taken
    where taken.number between candidate and last
      and not exists (select from invoice_numbers following where following.number = taken.number + 1);
  end if;
  while candidate <= last loop
    insert into invoice_numbers (number, initiator, allocated_at) values (candidate, for_initiator, at) on conflict (number) do nothing;
    if found then
      update invoice_ranges set next_number = candidate + 1 where name = range;
      return candidate;
    end if;
    candidate := candidate + 1;
  end loop;
  return null;
end
$$;

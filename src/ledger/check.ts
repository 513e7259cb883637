import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';

export type Finding = {
  readonly finding: string;
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
};

/** Recomputes the ledger from its entries and compares it with balances and history; returns all discrepancies. */
export async function checkLedger(db: Sql): Promise<Finding[]> {
  return db.rows(sql<Finding>`
    with moved as (
      -- a debt is owed to us: its balance grows by debits
      select a.id, case kind when 'debt' then -1 else 1 end * (coalesce((select sum(amount) from ledger_entries where credit_account = a.id), 0)
        - coalesce((select sum(amount) from ledger_entries where debit_account = a.id), 0)) as total
      from ledger_accounts a where a.registrar_id is not null),
    received as (
      select p.reference, p.booked, p.surplus,
        (select coalesce(sum(s.booked), 0) from payment_shares s where s.payment_reference = p.reference) as shared,
        (select coalesce(sum(case when d.kind = 'payments' then e.amount else -e.amount end), 0)
          from ledger_entries e join ledger_accounts d on d.id = e.debit_account where e.payment_reference = p.reference) as entered
      from payments p),
    steps as (
      select e.id, e.registrar_id, e.balance_after,
        sum(case when e.credit_account = a.id then e.amount else -e.amount end) over (partition by e.registrar_id order by e.id) as expected
      from ledger_entries e join ledger_accounts a on a.registrar_id = e.registrar_id and a.kind = 'registrar'
      where a.id in (e.debit_account, e.credit_account)),
    paid_changes as (
      select h.id, h.operation, h.object_name, count(e.id) as charges, min(e.operation) as charged_as
      from history h left join ledger_entries e on e.history_id = h.id
      where h.object_kind = 'domain' and h.operation in ('create', 'renew')
      group by h.id)
    select 'a balance is not the sum of its entries' as finding, r.code || ' ' || a.kind as subject, moved.total::text as expected, a.balance::text as found
    from moved join ledger_accounts a on a.id = moved.id join registrars r on r.id = a.registrar_id where moved.total <> a.balance
    union all
    select 'a running balance does not follow', 'entry ' || id, expected::text, balance_after::text from steps where expected <> balance_after
    union all
    select 'a change was not charged exactly once', operation || ' ' || object_name || ' (history ' || id || ')', '1', charges::text from paid_changes where charges <> 1
    union all
    select 'a change was charged as another', object_name || ' (history ' || id || ')', operation, charged_as from paid_changes where charged_as <> operation
    union all
    select 'a payment is not booked as the ledger has it', 'payment ' || reference, booked::text, entered::text from received where booked <> entered
    union all
    select 'a payment is not divided as it is booked', 'payment ' || reference, booked::text, (shared + surplus)::text from received where booked <> shared + surplus
    union all
    select 'a transfer is not booked as the bank told it', 'bank entry ' || b.id, b.amount::text, coalesce(p.initial_amount, 0)::text
    from bank_entries b join payments p on p.reference = b.payment_reference
    where b.direction = 'credit' and b.amount is distinct from p.initial_amount
    union all
    select 'a transfer was told by no bank', 'payment ' || p.reference, p.booked::text, 'nothing' from payments p
    where p.external and p.reference like 'bank-%' and not exists (select from bank_entries b where b.payment_reference = p.reference and b.direction = 'credit')
    union all
    select 'a charge belongs to no change', 'entry ' || e.id, 'a create or renew in history', coalesce(h.operation, 'none')
    from ledger_entries e left join history h on h.id = e.history_id
    where e.operation in ('create', 'renew') and (h.id is null or h.object_kind <> 'domain' or h.operation <> e.operation)`);
}

import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import type { Cents } from '../platform/values/money.ts';

export type Finding = {
  readonly finding: string;
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
};

/** Ids above `after`, up to and including `until`. */
export type IdRange = { readonly after: number; readonly until: number };

/** The last ids. */
export type Horizon = { readonly entryId: number; readonly historyId: number };

type Balances = ReadonlyMap<number, Cents>;

export const readHorizon = (db: Sql): Promise<Horizon> =>
  db.one(sql<Horizon>`
    select coalesce((select max(id) from ledger_entries), 0) as "entryId", coalesce((select max(id) from history), 0) as "historyId"`);

/** The transactions of others in this database that have written, of all or of these. */
export async function findOpenTransactions(db: Sql, among?: readonly string[]): Promise<string[]> {
  // Within a transaction it would be read once.
  await db.run(sql`select pg_stat_clear_snapshot()`);
  const rows = await db.rows(sql<{ id: string }>`
    select backend_xid::text as id from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_xid is not null`);
  return rows.map(({ id }) => id).filter((id) => among?.includes(id) ?? true);
}

/** Each balance after an entry must be the one before it and the amount. `balances` are those before the range. */
export const findWrongSteps = (db: Sql, { after, until }: IdRange, balances: Balances): Promise<Finding[]> =>
  db.rows(sql<Finding>`
    select 'a running balance does not follow' as finding, 'entry ' || id as subject, expected::text as expected, balance_after::text as found
    from (
      select e.id, e.balance_after, coalesce(lag(e.balance_after) over (partition by e.registrar_id order by e.id), before.balance, 0)
        + case when e.credit_account = a.id then e.amount else -e.amount end as expected
      from ledger_entries e join ledger_accounts a on a.registrar_id = e.registrar_id and a.kind = 'registrar'
        left join ${unnested(balances)} on before.account = a.id
      where e.id > ${after} and e.id <= ${until} and a.id in (e.debit_account, e.credit_account)) as steps
    where expected <> balance_after order by id`);

/** The balance after the last entry of each registrar in the range, by account. */
export const readLastBalances = (db: Sql, { after, until }: IdRange) =>
  db.rows(sql<{ account: number; sum: string }>`
    select distinct on (a.id) a.id as account, e.balance_after::text as sum
    from ledger_entries e join ledger_accounts a on a.registrar_id = e.registrar_id and a.kind = 'registrar'
    where e.id > ${after} and e.id <= ${until} and a.id in (e.debit_account, e.credit_account) order by a.id, e.id desc`);

/** What the entries of a range add to the accounts of registrars, and how many they are. */
export const sumEntries = (db: Sql, range: IdRange) =>
  db.rows(sql<{ account: number | null; sum: string; entries: number }>`
    select account, sum(amount)::text as sum, (count(*) filter (where side = 1))::int as entries from (${movesIn(range)}) as moves group by account`);

/** A debt is owed to us: its balance grows by debits. Accounts of the registry have no balance, and count as null. */
const movesIn = ({ after, until }: IdRange) => sql`
  select a.id as account, side, case when a.kind = 'debt' then -moved else moved end as amount
  from ledger_entries e
    cross join lateral (values (1, e.credit_account, e.amount), (2, e.debit_account, -e.amount)) as sides(side, account, moved)
    left join ledger_accounts a on a.id = sides.account and a.registrar_id is not null
  where e.id > ${after} and e.id <= ${until}`;

export const findUnfoundedCharges = (db: Sql, { after, until }: IdRange): Promise<Finding[]> =>
  db.rows(sql<Finding>`
    select 'a charge belongs to no change' as finding, 'entry ' || e.id as subject, 'a create or renew in history' as expected,
      coalesce(h.operation, 'none') as found
    from ledger_entries e left join history h on h.id = e.history_id
    where e.id > ${after} and e.id <= ${until} and e.operation in ('create', 'renew')
      and (h.id is null or h.object_kind <> 'domain' or h.operation <> e.operation)
    order by e.id`);

/** Of the changes in a range of history. The range stands twice, so that both sides are read in order and hashed. */
export const findUnchargedChanges = (db: Sql, { after, until }: IdRange): Promise<Finding[]> =>
  db.rows(sql<Finding>`
    with paid_changes as materialized (
      select h.id, h.operation, h.object_name, count(e.id) as charges, min(e.operation) as charged_as
      from history h left join ledger_entries e on e.history_id = h.id and e.history_id > ${after} and e.history_id <= ${until}
      where h.id > ${after} and h.id <= ${until} and h.object_kind = 'domain' and h.operation in ('create', 'renew')
      group by h.id
      having count(e.id) <> 1 or min(e.operation) <> h.operation)
    select 'a change was not charged exactly once' as finding, operation || ' ' || object_name || ' (history ' || id || ')' as subject,
      '1' as expected, charges::text as found
    from paid_changes where charges <> 1
    union all
    select 'a change was charged as another', object_name || ' (history ' || id || ')', operation, charged_as
    from paid_changes where charged_as <> operation`);

/** The last reference of the next payments after this one; none if there are no more. */
export async function lastOfNextPayments(db: Sql, after: string, count: number): Promise<string | undefined> {
  const row = await db.maybe(sql<{ last: string | null }>`
    select max(reference) as last from (select reference from payments where reference > ${after} order by reference limit ${count}) as next`);
  return row?.last ?? undefined;
}

/** What payments say about themselves, against the ledger, the invoices that they paid and the bank. */
export const findWrongPayments = (
  db: Sql,
  { after, until }: { readonly after: string; readonly until: string },
): Promise<Finding[]> =>
  db.rows(sql<Finding>`
    with received as materialized (
      select p.reference, p.booked, p.surplus, p.initial_amount, p.external,
        (select coalesce(sum(s.booked), 0) from payment_shares s where s.payment_reference = p.reference) as shared,
        (select coalesce(sum(case when d.kind = 'payments' then e.amount else -e.amount end), 0)
          from ledger_entries e join ledger_accounts d on d.id = e.debit_account where e.payment_reference = p.reference) as entered
      from payments p where p.reference > ${after} and p.reference <= ${until})
    select 'a payment is not booked as the ledger has it' as finding, 'payment ' || reference as subject, booked::text as expected, entered::text as found
    from received where booked <> entered
    union all
    select 'a payment is not divided as it is booked', 'payment ' || reference, booked::text, (shared + surplus)::text
    from received where booked <> shared + surplus
    union all
    select 'a transfer is not booked as the bank told it', 'bank entry ' || b.id, b.amount::text, coalesce(p.initial_amount, 0)::text
    from received p join bank_entries b on b.payment_reference = p.reference
    where b.direction = 'credit' and b.amount is distinct from p.initial_amount
    union all
    select 'a transfer was told by no bank', 'payment ' || reference, booked::text, 'nothing' from received p
    where p.external and p.reference like 'bank-%'
      and not exists (select from bank_entries b where b.payment_reference = p.reference and b.direction = 'credit')`);

/** Each balance must be the sum of the entries checked so far and of those that came meanwhile, in one snapshot. */
export const findWrongBalances = (db: Sql, after: number, balances: Balances): Promise<Finding[]> =>
  db.rows(sql<Finding>`
    with later as materialized (
      select account, sum(amount) as sum from (${movesIn({ after, until: Number.MAX_SAFE_INTEGER })}) as moves group by account)
    select 'a balance is not the sum of its entries' as finding, r.code || ' ' || a.kind as subject, total.sum::text as expected, a.balance::text as found
    from ledger_accounts a join registrars r on r.id = a.registrar_id
      left join ${unnested(balances)} on before.account = a.id left join later on later.account = a.id
      cross join lateral (select coalesce(before.balance, 0) + coalesce(later.sum, 0) as sum) as total
    where a.balance <> total.sum order by r.code, a.kind`);

const unnested = (balances: Balances) => sql`
  unnest(${[...balances.keys()]}::bigint[], ${[...balances.values()].map(String)}::bigint[]) as before(account, balance)`;

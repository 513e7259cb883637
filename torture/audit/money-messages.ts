import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Sql } from '../../src/platform/sql/executor.ts';
import type { Fragment } from '../../src/platform/sql/statement.ts';
import { policy } from '../../src/policy/installed.ts';
import { type MessageType, messageKinds } from '../../src/registry/poll/send-messages.ts';
import { sql } from '../../test/support/sql.ts';

/** All but low_balance: the threshold that was in force at a charge is in no table. */
const AUDITED = [
  'invoice_issued',
  'invoice_paid',
  'invoice_overdue',
  'invoice_cancelled',
  'invoice_refunded',
  'balance_credited',
  'balance_debited',
  'debt_incurred',
  'debt_repaid',
  'statement_ready',
];

/**
 * Each invoice and each status of it, each entry on a registrar's account that pays for nothing, and each statement has
 * exactly its messages, with the amounts, balances and debts that the tables have.
 */
export const auditMoneyMessages = (db: Sql): Promise<Finding[]> =>
  db.rows(sql<Finding>`
    with messages as (
      select registrar_id, type, text, count(*)::int as times from poll_messages where type = any(${AUDITED}::text[]) group by 1, 2, 3),
    entries as (
      select e.id, e.registrar_id, e.operation, e.description, e.amount, e.balance_after, a.currency, e.credit_account = a.id as is_credit,
        lag(e) over account as before, lead(e) over account as after,
        sum(case e.operation when 'debt incurred' then e.amount when 'debt repayment' then -e.amount else 0 end) over account as debt
      from ledger_entries e join ledger_accounts a on a.registrar_id = e.registrar_id and a.kind = 'registrar'
      window account as (partition by e.registrar_id order by e.id)),
    -- A debt is incurred just before the entry that it covers, and repaid just after the one that repays it.
    moves as (
      select registrar_id, description, amount, currency, is_credit, debt,
        case when not is_credit and (before).operation = 'debt incurred' then (before).amount end as uncovered,
        case when is_credit and (after).operation = 'debt repayment' then (after).amount end as repaid,
        case when is_credit and (after).operation = 'debt repayment' then (after).balance_after else balance_after end as balance
      from entries where operation not in ('opening', 'create', 'renew', 'debt incurred', 'debt repayment')),
    due_each as (${dueOfInvoices} union all ${dueOfMoves} union all ${dueOfStatements}),
    due as (select registrar_id, type, text, count(*)::int as times from due_each group by 1, 2, 3)
    select 'messages about money are not as many as their causes' as finding,
      r.code || ' ' || coalesce(due.type, messages.type) || ': ' || coalesce(due.text, messages.text) as subject,
      coalesce(due.times, 0)::text as expected, coalesce(messages.times, 0)::text as found
    from due full join messages on messages.registrar_id = due.registrar_id and messages.type = due.type and messages.text = due.text
    join registrars r on r.id = coalesce(due.registrar_id, messages.registrar_id)
    where due.times is distinct from messages.times`);

/** The number of messages of each type: an audit without any proves nothing. */
export async function countMoneyMessages(db: Sql): Promise<Readonly<Record<string, number>>> {
  const rows = await db.rows(sql<{ type: string; count: number }>`
    select t.type, count(m.id)::int as count from unnest(${AUDITED}::text[]) as t(type)
    left join poll_messages m on m.type = t.type group by 1 order by 1`);
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
}

const decimal = (cents: Fragment): Fragment => sql`to_char(${cents} / 100.0, 'FM999999999999990.00')`;

/** The text of the catalogue with these values in it. */
const textOf = (type: MessageType, values: Readonly<Record<string, Fragment>>): Fragment =>
  messageKinds[type].text
    .split(/\{(\w+)\}/)
    .map((part, place) => (place % 2 === 0 ? sql`${part}::text` : (values[part] ?? sql`null`)))
    .reduce((written, part) => sql`${written} || ${part}`);

const INVOICE = {
  number: sql`i.number`,
  total: decimal(sql`i.amount`),
  currency: sql`i.currency`,
  due: sql`to_char(i.due_date, 'YYYY-MM-DD')`,
};

/** A failed or repeated payment attempt sends no message. */
const dueOfInvoices = sql`
  select i.registrar_id, case when c.from_status is null then 'invoice_issued' else 'invoice_' || c.to_status end as type,
    case when c.from_status is null then ${textOf('invoice_issued', INVOICE)} else case c.to_status
      when 'paid' then ${textOf('invoice_paid', INVOICE)}
      when 'overdue' then ${textOf('invoice_overdue', INVOICE)}
      when 'cancelled' then ${textOf('invoice_cancelled', INVOICE)}
      when 'refunded' then ${textOf('invoice_refunded', INVOICE)} end end as text
  from invoice_changes c join invoices i on i.number = c.invoice_number
  where i.registrar_id is not null and (c.from_status is null or c.to_status not in ('unpaid', 'failed'))`;

const MOVE = {
  amount: decimal(sql`m.amount`),
  taken: decimal(sql`m.amount`),
  currency: sql`m.currency`,
  cause: sql`m.description`,
  balance: decimal(sql`m.balance`),
  uncovered: decimal(sql`m.uncovered`),
  repaid: decimal(sql`m.repaid`),
  debt: decimal(sql`(m.debt - coalesce(m.repaid, 0))`),
};

const dueOfMoves = sql`
  select m.registrar_id, 'balance_credited', ${textOf('balance_credited', MOVE)} from moves m where m.is_credit
  union all
  select m.registrar_id, 'debt_repaid', ${textOf('debt_repaid', MOVE)} from moves m where m.repaid is not null
  union all
  select m.registrar_id, 'balance_debited', ${textOf('balance_debited', MOVE)} from moves m where not m.is_credit and m.uncovered is null
  union all
  select m.registrar_id, 'debt_incurred', ${textOf('debt_incurred', MOVE)} from moves m where m.uncovered is not null`;

const STATEMENT = {
  month: sql`to_char(s.month, 'YYYY-MM')`,
  currency: sql`s.currency`,
  opening: decimal(sql`s.opening`),
  closing: decimal(sql`s.closing`),
};

/** Of a month in which something was booked, unless it was made more than three months late. */
const dueOfStatements = sql`
  select s.registrar_id, 'statement_ready', ${textOf('statement_ready', STATEMENT)} from monthly_statements s
  where (s.debt_incurred > 0 or s.debt_repaid > 0
      or exists (select from monthly_statement_lines l where l.registrar_id = s.registrar_id and l.month = s.month))
    and s.month >= date_trunc('month', (s.created_at - interval '1 hour') at time zone ${policy.timeZone}) - interval '3 months'`;

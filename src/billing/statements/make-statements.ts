import { CHARGED_MONTHS, chargedHistory } from '../../ledger/charged-history.ts';
import { entryKinds, kindOfOperation } from '../../ledger/entry-kinds.ts';
import { statementText } from '../../ledger/money-messages.ts';
import { runTransaction } from '../../operations/in-transaction.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { boundsOf, dueAt, lastMonthAt, type Month, monthAfter, monthsBetween } from './find-statements.ts';

/** Older statements, made late, are stored, without a mail or message. */
const MONTHS_MAILED = 3;
/** A month of all registrars takes longer than the statement timeout of requests. */
const MONTH_TIMEOUT_MS = 600_000;

/** Makes the missing statements of all past months. */
export async function makeStatements({ writes }: Database, policy: Policy, now: Date): Promise<void> {
  const last = lastMonthAt(now, policy.timeZone);
  const first = await firstMissing(writes, policy);
  for (let month = first; month !== undefined && month <= last; month = monthAfter(month))
    await runTransaction(
      writes,
      now,
      (db) => makeMonth(db, month, policy, { now, mailed: monthsBetween(month, last) < MONTHS_MAILED }),
      { statementTimeoutMs: MONTH_TIMEOUT_MS },
    );
}

/**
 * When the next statements are mailed; undefined where no registrar has an address, since the time of making them is
 * not visible then.
 */
export async function nextStatements({ reads }: Database, policy: Policy): Promise<Date | undefined> {
  const addressed = await reads.maybe(sql`select from registrars where email is not null limit 1`);
  if (!addressed) return undefined;
  const month = await firstMissing(reads, policy);
  return month === undefined ? undefined : dueAt(month, policy.timeZone);
}

/** Starts with the month of the first registrar. */
async function firstMissing(db: Sql, { timeZone }: Policy): Promise<Month | undefined> {
  const row = await db.one(sql<{ month: Month | null }>`
    select coalesce((select to_char(max(month) + interval '1 month', 'YYYY-MM') from monthly_statements),
      (select to_char(min(created_at) at time zone ${timeZone}, 'YYYY-MM') from registrars)) as month`);
  return row.month ?? undefined;
}

/**
 * Makes the statements of all registrars from one snapshot of the ledger. Balances come from the entries and lines are
 * sums of the entries between them: a table constraint refuses statements where the two disagree. A month ends with the
 * highest id among the entries before its end: what a wrong clock dated ahead belongs to the month of the next entry that
 * is dated right, as the balance does. A concurrent second run adds nothing.
 */
async function makeMonth(
  db: Sql,
  month: Month,
  { timeZone }: Policy,
  { now, mailed }: { readonly now: Date; readonly mailed: boolean },
): Promise<void> {
  const { from, until } = boundsOf(month, timeZone);
  const first = `${month}-01`;
  const balances = { opening: sql`made.opening`, closing: sql`made.closing`, currency: sql`made.currency` };
  await db.run(sql`
    with bounds as materialized (
      select registrar_id, max(id) filter (where at < ${from}) as opened_by, max(id) filter (where at < ${until}) as closed_by
      from ledger_entries where registrar_id is not null group by registrar_id),
    accounts as materialized (
      select a.id, a.registrar_id, a.currency, r.email, d.id as debt_id, d.balance as debt,
        coalesce(b.opened_by, 0) as opened_by, coalesce(b.closed_by, 0) as closed_by,
        ${balanceAfter(sql`b.opened_by`)} as opening, ${balanceAfter(sql`b.closed_by`)} as closing
      from registrars r
      left join bounds b on b.registrar_id = r.id
      join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar'
      join ledger_accounts d on d.registrar_id = r.id and d.kind = 'debt'
      where r.created_at < ${until}),
    entries as (
      select a.registrar_id, case when e.credit_account = a.id then e.amount else -e.amount end as amount,
        ${kindOfOperation(sql`e.operation`)} as kind,
        substr(h.object_name, strpos(h.object_name, '.') + 1) as zone,
        ${CHARGED_MONTHS} as months
      from accounts a
      join ledger_entries e on e.registrar_id = a.registrar_id and e.at >= ${from} and e.id > a.opened_by and e.id <= a.closed_by
      ${chargedHistory(timeZone)}),
    lines as (
      select registrar_id, kind, zone, months, count(*)::int as count, sum(amount)::bigint as sum,
        row_number() over (partition by registrar_id
          order by array_position(${[...entryKinds]}::text[], kind), zone, months)::int as position
      from entries group by registrar_id, kind, zone, months),
    -- Older entries moved a debt without the registrar's own account.
    debt_moves as (
      select e.at >= ${until} as later, e.debit_account, e.credit_account, e.amount from ledger_entries e
      where e.registrar_id is null and e.at >= ${from}
      union all
      select e.id > a.closed_by, e.debit_account, e.credit_account, e.amount from accounts a
      join ledger_entries e on e.registrar_id = a.registrar_id and e.at >= ${from} and e.id > a.opened_by
        and e.operation in ('debt incurred', 'debt repayment')),
    debts as (
      select a.registrar_id, coalesce(sum(m.grown) filter (where not m.later), 0)::bigint as grown,
        coalesce(sum(m.repaid) filter (where not m.later), 0)::bigint as repaid,
        coalesce(sum(m.grown - m.repaid) filter (where m.later), 0)::bigint as since
      from accounts a
      join (
        select later, debit_account as account, amount as grown, 0 as repaid from debt_moves
        union all
        select later, credit_account, 0, amount from debt_moves) m on m.account = a.debt_id
      group by a.registrar_id),
    whole as (
      select a.*, coalesce(l.net_change, 0) as net_change, coalesce(l.happened, false) as happened, coalesce(d.grown, 0) as grown, coalesce(d.repaid, 0) as repaid,
        a.debt - coalesce(d.since, 0) as closing_debt
      from accounts a
      left join (select registrar_id, sum(sum)::bigint as net_change, true as happened from lines group by registrar_id) l on l.registrar_id = a.registrar_id
      left join debts d on d.registrar_id = a.registrar_id),
    made as (
      insert into monthly_statements (registrar_id, month, currency, opening, net_change, closing, opening_debt, debt_incurred, debt_repaid, closing_debt, created_at, mail_to)
      select registrar_id, ${first}, currency, opening, net_change, closing, closing_debt - grown + repaid, grown, repaid, closing_debt, ${now},
        case when ${mailed} and (happened or closing > 0 or closing_debt > 0 or grown > 0 or repaid > 0) then email end
      from whole order by registrar_id
      on conflict do nothing returning registrar_id, opening, closing, currency),
    -- A month in which nothing was booked is no news.
    notified as (
      insert into poll_messages (registrar_id, type, text, created_at)
      select made.registrar_id, 'statement_ready', ${statementText({ month: sql`${month}::text`, ...balances })}, ${now}
      from made join whole on whole.registrar_id = made.registrar_id where ${mailed} and (whole.happened or whole.grown > 0 or whole.repaid > 0) order by made.registrar_id)
    insert into monthly_statement_lines (registrar_id, month, position, kind, zone, months, count, sum)
    select l.registrar_id, ${first}, l.position, l.kind, l.zone, l.months, l.count, l.sum from lines l join made on made.registrar_id = l.registrar_id`);
}

/** Each entry stores the balance after it. */
const balanceAfter = (entry: Fragment) =>
  sql`coalesce((select e.balance_after from ledger_entries e where e.id = ${entry}), 0)`;

import { Temporal } from 'temporal-polyfill';
import type { EntryKind } from '../../ledger/entry-kinds.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { dayIn } from '../../platform/values/dates.ts';
import type { Cents } from '../../platform/values/money.ts';

export type StatementLine = {
  readonly kind: EntryKind;
  readonly zone: string | null;
  /** The period registered or renewed. */
  readonly months: number | null;
  readonly count: number;
  /** Positive in favour of the registrar. */
  readonly sum: Cents;
};
/** A registrar's account over one month. */
export type MonthlyStatement = {
  readonly registrarId: number;
  readonly registrar: string;
  readonly name: string;
  readonly month: Month;
  readonly currency: string;
  readonly opening: Cents;
  readonly closing: Cents;
  readonly openingDebt: Cents;
  readonly debtGrown: Cents;
  readonly debtRepaid: Cents;
  readonly closingDebt: Cents;
  readonly madeAt: Date;
  readonly mailTo: string | null;
  readonly lines: readonly StatementLine[];
};

type Amount = 'opening' | 'closing' | 'openingDebt' | 'debtGrown' | 'debtRepaid' | 'closingDebt';
type Row = Omit<MonthlyStatement, Amount | 'lines'> & { readonly [Name in Amount]: string } & {
  readonly lines: readonly (Omit<StatementLine, 'sum'> & { readonly sum: string })[];
};

export async function findStatement(
  db: Sql,
  registrar: string,
  month: Month,
): Promise<MonthlyStatement | undefined> {
  const row = await db.maybe(sql<Row>`
    select s.registrar_id as "registrarId", r.code as registrar, r.name, to_char(s.month, 'YYYY-MM') as month, s.currency, s.opening::text as opening,
      s.closing::text as closing, s.opening_debt::text as "openingDebt", s.debt_incurred::text as "debtGrown", s.debt_repaid::text as "debtRepaid",
      s.closing_debt::text as "closingDebt", s.created_at as "madeAt", s.mail_to as "mailTo",
      (select coalesce(json_agg(json_build_object('kind', l.kind, 'zone', l.zone, 'months', l.months, 'count', l.count, 'sum', l.sum::text) order by l.position), '[]')
        from monthly_statement_lines l where l.registrar_id = s.registrar_id and l.month = s.month) as lines
    from monthly_statements s join registrars r on r.id = s.registrar_id
    where r.code = ${registrar} and s.month = ${`${month}-01`}`);
  return (
    row && {
      ...row,
      opening: BigInt(row.opening),
      closing: BigInt(row.closing),
      openingDebt: BigInt(row.openingDebt),
      debtGrown: BigInt(row.debtGrown),
      debtRepaid: BigInt(row.debtRepaid),
      closingDebt: BigInt(row.closingDebt),
      lines: row.lines.map((line) => ({ ...line, sum: BigInt(line.sum) })),
    }
  );
}

export type ListedStatement = {
  readonly registrar: string;
  readonly month: Month;
  readonly opening: string;
  readonly closing: string;
  readonly debt: string;
  readonly currency: string;
  readonly madeAt: Date;
  readonly mailedAt: Date | null;
};

/** Newest month first; amounts in cents. */
export const listStatements = (
  db: Sql,
  registrar: string | undefined,
  most: number,
): PromiseLike<ListedStatement[]> =>
  db.rows(sql<ListedStatement>`
    select r.code as registrar, to_char(s.month, 'YYYY-MM') as month, s.opening::text as opening, s.closing::text as closing, s.closing_debt::text as debt,
      s.currency, s.created_at as "madeAt", s.mailed_at as "mailedAt"
    from monthly_statements s join registrars r on r.id = s.registrar_id
    where ${registrar ?? null}::text is null or r.code = ${registrar ?? null}
    order by s.month desc, r.code limit ${most}`);

/** A calendar month, yyyy-mm. */
export type Month = string;

/** Transactions that began before midnight have ended by then and count in their month. */
const HOURS_AFTER = 1;

const parse = (month: Month): Temporal.PlainYearMonth => Temporal.PlainYearMonth.from(month);

export const isMonth = (text: string): text is Month => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

export const monthAfter = (month: Month): Month => parse(month).add({ months: 1 }).toString();

export const monthsBetween = (month: Month, later: Month): number =>
  parse(month).until(parse(later), { largestUnit: 'months' }).months;

/** The last month that is over, an hour after its end. */
export function lastMonthAt(now: Date, timeZone: string): Month {
  const then = new Date(now.getTime() - HOURS_AFTER * 3_600_000);
  return dayIn(timeZone, then).toPlainYearMonth().subtract({ months: 1 }).toString();
}

/** From the first instant of the month to the first of the next. */
export function boundsOf(month: Month, timeZone: string): { readonly from: Date; readonly until: Date } {
  const start = (of: Temporal.PlainYearMonth) =>
    new Date(of.toPlainDate({ day: 1 }).toZonedDateTime(timeZone).epochMilliseconds);
  return { from: start(parse(month)), until: start(parse(month).add({ months: 1 })) };
}

/** When the statements of a month can be made. */
export const dueAt = (month: Month, timeZone: string): Date =>
  new Date(boundsOf(month, timeZone).until.getTime() + HOURS_AFTER * 3_600_000);

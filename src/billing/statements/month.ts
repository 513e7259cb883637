import { Temporal } from 'temporal-polyfill';
import { dayIn } from '../../platform/values/dates.ts';

/** A month of the calendar, written yyyy-mm. */
export type Month = string;

/** What began before midnight has ended by then, and is in the month that it belongs to. */
const HOURS_AFTER = 1;

const parse = (month: Month): Temporal.PlainYearMonth => Temporal.PlainYearMonth.from(month);

export const isMonth = (text: string): text is Month => /^\d{4}-(0[1-9]|1[0-2])$/.test(text);

export const monthAfter = (month: Month): Month => parse(month).add({ months: 1 }).toString();

export const monthsBetween = (month: Month, later: Month): number =>
  parse(month).until(parse(later), { largestUnit: 'months' }).months;

/** The last month that can be told of: it is over, and an hour has passed since. */
export function lastMonthAt(now: Date, timeZone: string): Month {
  const then = new Date(now.getTime() - HOURS_AFTER * 3_600_000);
  return dayIn(timeZone, then).toPlainYearMonth().subtract({ months: 1 }).toString();
}

/** From its first moment to the first one of the next. */
export function boundsOf(month: Month, timeZone: string): { readonly from: Date; readonly until: Date } {
  const start = (of: Temporal.PlainYearMonth) =>
    new Date(of.toPlainDate({ day: 1 }).toZonedDateTime(timeZone).epochMilliseconds);
  return { from: start(parse(month)), until: start(parse(month).add({ months: 1 })) };
}

/** When the statements of a month can be made. */
export const dueAt = (month: Month, timeZone: string): Date =>
  new Date(boundsOf(month, timeZone).until.getTime() + HOURS_AFTER * 3_600_000);

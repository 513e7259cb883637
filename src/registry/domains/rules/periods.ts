import { Temporal } from 'temporal-polyfill';
import { dayIn, textOfDay } from '../../../platform/values/dates.ts';
import type { Policy } from '../../../policy/policy.ts';

/** Registration and renewal are computed in months. */
export const monthsOf = (period: number, unit: 'y' | 'm'): number => (unit === 'y' ? period * 12 : period);

/** Periods of bulk renewal: these months, or whole years up to this many. */
const BULK_MONTHS = [3, 6, 9];
const MAX_BULK_YEARS = 10;
export const BULK_PERIODS = `${BULK_MONTHS.map((months) => `${months}m`).join(', ')}, or 1y to ${MAX_BULK_YEARS}y`;

export function parseBulkPeriod(text: string): number | undefined {
  const [, digits, unit] = /^([1-9]\d?)([my])$/.exec(text) ?? [];
  const count = Number(digits);
  if (unit === 'm') return BULK_MONTHS.includes(count) ? count : undefined;
  return unit === 'y' && count <= MAX_BULK_YEARS ? count * 12 : undefined;
}

/** A period in the largest unit that counts it wholly. */
export const unitsOf = (months: number): { readonly period: number; readonly unit: 'y' | 'm' } =>
  months % 12 === 0 ? { period: months / 12, unit: 'y' } : { period: months, unit: 'm' };

/** As it is written: 3m, 1y. */
export function periodOf(months: number): string {
  const { period, unit } = unitsOf(months);
  return `${period}${unit}`;
}

const zoned = (at: Date, { timeZone }: Policy) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
const toDate = (context: Temporal.ZonedDateTime) => new Date(context.epochMilliseconds);

/** What a period leads to, by its first day: some 50 µs of calendar arithmetic, and the same for all domains of a day. */
const expiriesOfDay = new WeakMap<Temporal.PlainDate, Map<string, Date>>();

function startLater(day: Temporal.PlainDate, { months = 0, days = 0 }, { timeZone }: Policy): Date {
  const known = expiriesOfDay.get(day) ?? new Map<string, Date>();
  expiriesOfDay.set(day, known);
  const key = `${months} ${days} ${timeZone}`;
  const start = known.get(key) ?? toDate(day.add({ months }).add({ days }).toZonedDateTime(timeZone));
  known.set(key, start);
  return start;
}

/** A new domain expires at the start of the day after its period, in the registry's time zone. */
export const firstExpiry = (now: Date, months: number, policy: Policy): Date =>
  startLater(dayIn(policy.timeZone, now), { months, days: 1 }, policy);

export const renewedExpiry = (expiry: Date, months: number, policy: Policy): Date =>
  startLater(dayIn(policy.timeZone, expiry), { months }, policy);

/** The expiry to which a renewal leads, by the day of the present one. */
export const expiryAfterRenewal = (day: string, months: number, { timeZone }: Policy): Date =>
  toDate(Temporal.PlainDate.from(day).add({ months }).toZonedDateTime(timeZone));

/** The first context that is too late for an expiry. */
export function expiryLimit(now: Date, policy: Policy): Date {
  return toDate(zoned(now, policy).add({ years: policy.domains.longestYears + 1 }));
}

/** The day of a context in the registry's time zone, yyyy-mm-dd. */
export const dayOf = (at: Date, { timeZone }: Policy): string => textOfDay(timeZone, at);

export const dayAfter = (at: Date, days: number, policy: Policy): string =>
  zoned(at, policy).toPlainDate().add({ days }).toString();

/** The start of a day in the registry's time zone. */
export const startOfDay = (day: string, { timeZone }: Policy): Date =>
  toDate(Temporal.PlainDate.from(day).toZonedDateTime(timeZone));

/** The day of the registry's time zone that begins on this date in UTC: the date of an expiry that is shown in UTC. */
export const dayOfUtcDate = (date: string, policy: Policy): string =>
  [-1, 0, 1]
    .map((days) => dayLater(date, days))
    .find((day) => startOfDay(day, policy).toISOString().startsWith(date)) ?? date;

/** The same local time so many days later, in the registry's time zone. */
export const daysLater = (at: Date, days: number, policy: Policy): Date =>
  toDate(zoned(at, policy).add({ days }));

export const dayLater = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString();

/** A context in human-readable form: day and minute in the registry's time zone. */
export const formatLocalTime = (at: Date, policy: Policy): string =>
  zoned(at, policy).toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ');

/** The first day from today on that is a whole number of years before `end`; undefined if `end` itself comes first. */
export function anniversaryAhead(end: Date, now: Date, policy: Policy): string | undefined {
  const [last, today] = [zoned(end, policy).toPlainDate(), zoned(now, policy).toPlainDate()];
  const thisYear = last.year - today.year;
  const isPast = Temporal.PlainDate.compare(last.subtract({ years: thisYear }), today) < 0;
  const years = isPast ? thisYear - 1 : thisYear;
  return years < 1 ? undefined : last.subtract({ years }).toString();
}

import { addDuration, type Day, dayAt, type Moment, startOf } from './calendar.ts';

export type Period = { readonly period: number; readonly period_unit: 'y' | 'm' };

const SHORT_PERIODS: ReadonlyMap<number, bigint> = new Map([
  [3, 300n],
  [6, 500n],
  [9, 700n],
]);
const YEAR = 900n;
const MAX_YEARS = 10;
const FURTHEST = 'P11Y';

export const monthsOf = ({ period, period_unit }: Period): number =>
  period_unit === 'y' ? period * 12 : period;

/** The price of a registration or renewal, alike in every zone of the sandbox; undefined where there is none. */
export function priceOf(period: Period): bigint | undefined {
  const months = monthsOf(period);
  const years = months / 12;
  if (Number.isInteger(years) && years >= 1 && years <= MAX_YEARS) return BigInt(years) * YEAR;
  return SHORT_PERIODS.get(months);
}

/** Start of the day after now and the period. */
export const firstExpiry = (now: Moment, period: Period): Day =>
  dayAt(now)
    .add({ months: monthsOf(period) })
    .add({ days: 1 });

export const renewedExpiry = (expiry: Day, period: Period): Day => expiry.add({ months: monthsOf(period) });

export const reachesTooFar = (expiry: Day, now: Moment): boolean =>
  startOf(expiry) >= addDuration(now, FURTHEST);

export const staysExpired = (expiry: Day, now: Moment): boolean => startOf(expiry) <= now;

/** `6m` and `2y` as the bulk call writes periods. */
export const inShort = ({ period, period_unit }: Period): string => `${period}${period_unit}`;
export const decimal = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

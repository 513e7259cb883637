import { Temporal } from 'temporal-polyfill';
import { parseDay } from '../../platform/values/dates.ts';
import { isBlank, isLengthWithin, normaliseText } from '../../platform/values/normalise-text.ts';

/** Lists of the console whose filters and order a person can keep. */
export const VIEWED_LISTS = ['domains', 'contacts', 'messages', 'balance', 'invoices'] as const;
export type ViewedList = (typeof VIEWED_LISTS)[number];

/** Of a person, at one registrar and of one list. */
export const MAX_VIEWS = 20;
export const MAX_VIEW_NAME = 60;
export const MAX_VIEW_QUERY = 2_000;

export type SavedView = { readonly id: number; readonly name: string; readonly query: string };

const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** A name as it is stored; undefined if it is empty, too long, or has characters that nobody sees. */
export function parseViewName(text: string): string | undefined {
  const name = normaliseText(text.trim(), 2 * MAX_VIEW_NAME);
  return name === undefined ||
    isBlank(name) ||
    UNSEEN.test(name) ||
    !isLengthWithin(name, { max: MAX_VIEW_NAME })
    ? undefined
    : name;
}

/** What people take for the same name. */
export const viewNameKey = (name: string): string => name.toLowerCase();

/** What stands in the way of a view; or its place, the first one that is free. */
export type ViewDecision = { readonly place: number } | { readonly problem: 'nameTaken' | 'tooMany' };

export function decideView(
  others: readonly { readonly name: string; readonly place: number }[],
  { name }: { readonly name: string },
): ViewDecision {
  const taken = new Set(others.map(({ place }) => place));
  if (others.some((other) => viewNameKey(other.name) === viewNameKey(name))) return { problem: 'nameTaken' };
  const place = Array.from({ length: MAX_VIEWS }, (_, index) => index + 1).find((each) => !taken.has(each));
  return place === undefined ? { problem: 'tooMany' } : { place };
}

/** The parameters that are days. */
const DAYS = ['from', 'to'];
const DISTANCE = /^@(-?\d{1,5})$/;

/** Each day as its distance from today, as `@30`. */
export const withMovingDays = (
  parameters: Readonly<Record<string, string>>,
  today: string,
): Record<string, string> =>
  mapDays(parameters, (text) => {
    const day = parseDay(text);
    const distance = day && Temporal.PlainDate.from(today).until(day, { largestUnit: 'days' }).days;
    return distance === undefined || Math.abs(distance) > 99_999 ? text : `@${distance}`;
  });

/** The same as days again, as of another day. */
export const withFixedDays = (
  parameters: Readonly<Record<string, string>>,
  today: string,
): Record<string, string> =>
  mapDays(parameters, (text) => {
    const [, distance] = DISTANCE.exec(text) ?? [];
    return distance === undefined
      ? text
      : Temporal.PlainDate.from(today)
          .add({ days: Number(distance) })
          .toString();
  });

const mapDays = (
  parameters: Readonly<Record<string, string>>,
  written: (text: string) => string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, text]) => [name, DAYS.includes(name) ? written(text) : text]),
  );

export const hasDays = (parameters: Readonly<Record<string, string>>): boolean =>
  DAYS.some((name) => name in parameters);

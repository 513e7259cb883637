import { Temporal } from 'temporal-polyfill';

/** Dates of the registry are days of this zone. */
const ZONE = 'Europe/Tallinn';
const HOUR_MS = 3_600_000;

export type Day = Temporal.PlainDate;
/** Milliseconds since 1970, as the registry's clock tells them. */
export type Moment = number;
/** When something happened, as far as a client can know: between request and answer. */
export type Span = { readonly from: Moment; readonly until: Moment };

const inZone = (at: Moment) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(ZONE);

export const dayAt = (at: Moment): Day => inZone(at).toPlainDate();
export const startOf = (day: Day): Moment => day.toZonedDateTime(ZONE).epochMilliseconds;
export const atTime = (day: Day, time: string): Moment =>
  day.toZonedDateTime({ timeZone: ZONE, plainTime: time }).epochMilliseconds;
export const addHours = (at: Moment, hours: number): Moment => at + hours * HOUR_MS;
/** Days, months and years as a calendar in the registry's zone counts them. */
export const addDuration = (at: Moment, duration: string): Moment =>
  inZone(at).add(duration).epochMilliseconds;
export const day = (text: string): Day => Temporal.PlainDate.from(text);
export const isBefore = (one: Day, other: Day): boolean => Temporal.PlainDate.compare(one, other) < 0;

/** As answers show a time. */
export const timestamp = (at: Moment): string => {
  const { offset } = inZone(at);
  return inZone(at).toPlainDateTime().toString({ smallestUnit: 'millisecond' }) + offset;
};

/** The next moment at which clocks are put forward or back. */
export function nextClockChange(at: Moment): Moment {
  const change = inZone(at).getTimeZoneTransition('next');
  if (!change) throw new Error(`${ZONE} has no clock change after ${timestamp(at)}`);
  return change.epochMilliseconds;
}

/** Where a sequence begins: the kind of day matters, the year does not. */
export type Anchor = { readonly monthDay: string; readonly leapYear: boolean; readonly time: string };

/** The next such moment; the same anchor meets the same calendar however late it is. */
export function nextAnchor(after: Moment, { monthDay, leapYear, time }: Anchor): Moment {
  for (let year = inZone(after).year; ; year++) {
    const [month, dayOfMonth] = monthDay.split('-').map(Number);
    const found = Temporal.PlainDate.from({ year, month: month ?? 1, day: dayOfMonth ?? 1 });
    const at = atTime(found, time);
    if (at > after && found.inLeapYear === leapYear) return at;
  }
}

import { Temporal } from 'temporal-polyfill';

/** The calendar day that it is at `at` in `zone`. */
export function dayIn(zone: string, at: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate();
}

/** A real calendar day written yyyy-mm-dd, or undefined. */
export function parseDay(text: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return undefined;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch {
    return undefined;
  }
}

/** `at` moved by an ISO 8601 duration, days and months counted in `zone`; undefined for anything else. */
export function moveBy(at: Date, duration: string, zone: string): Date | undefined {
  try {
    const moved = Temporal.Instant.fromEpochMilliseconds(at.getTime())
      .toZonedDateTimeISO(zone)
      .add(Temporal.Duration.from(duration));
    return new Date(moved.epochMilliseconds);
  } catch {
    return undefined;
  }
}

/** A moment written in ISO 8601 with its offset, or undefined. */
export function parseMoment(text: string): Date | undefined {
  try {
    return new Date(Temporal.Instant.from(text).epochMilliseconds);
  } catch {
    return undefined;
  }
}

import { Temporal } from 'temporal-polyfill';

type Day = {
  readonly zone: string;
  readonly day: Temporal.PlainDate;
  readonly text: string;
  readonly from: number;
  readonly until: number;
  /** Of every moment of the day; undefined where the clocks are changed. */
  readonly offset: string | undefined;
};
const UTC_DAY_MS = 86_400_000;
/** The days of ten years, of which expiries are made. */
const MAX_DAYS = 4_000;
/** By the UTC day, which two calendar days share, and in a zone that skips or repeats one more. */
const known = new Map<number, Day[]>();

/** The calendar day at `at` in `zone`. Zone lookups take 40 µs and most concern few days, hence the memory. */
export const dayIn = (zone: string, at: Date): Temporal.PlainDate => rememberedDay(zone, at).day;

/** The same day written yyyy-mm-dd. */
export const textOfDay = (zone: string, at: Date): string => rememberedDay(zone, at).text;

function rememberedDay(zone: string, at: Date): Day {
  const moment = at.getTime();
  const key = Math.floor(moment / UTC_DAY_MS);
  const days = known.get(key) ?? [];
  const found = days.find((day) => day.zone === zone && day.from <= moment && moment < day.until);
  if (found) return found;
  if (known.size >= MAX_DAYS) known.clear();
  const day = findDay(zone, moment);
  known.set(key, [...days, day]);
  return day;
}

function findDay(zone: string, moment: number): Day {
  const start = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).startOfDay();
  const end = start.add({ days: 1 }).startOfDay();
  const day = start.toPlainDate();
  return {
    zone,
    day,
    text: day.toString(),
    from: start.epochMilliseconds,
    until: end.epochMilliseconds,
    offset: start.offsetNanoseconds === end.offsetNanoseconds ? start.offset : undefined,
  };
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

/** `at` plus an ISO 8601 duration, with days and months counted in `zone`; undefined if it is not a duration. */
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

/** A time in ISO 8601 with its offset, or undefined. */
export function parseMoment(text: string): Date | undefined {
  try {
    return new Date(Temporal.Instant.from(text).epochMilliseconds);
  } catch {
    return undefined;
  }
}

/** A time in ISO 8601 with the offset of `zone`, to the second. */
export function timeIn(zone: string, at: Date): string {
  const { text, from, offset } = rememberedDay(zone, at);
  if (offset === undefined) return zonedTime(zone, at);
  const seconds = Math.floor((at.getTime() - from) / 1_000);
  const [hour, minute, second] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${text}T${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}${offset}`;
}

const twoDigits = (count: number): string => String(count).padStart(2, '0');

const zonedTime = (zone: string, at: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' });

type Offset = { readonly text: string; readonly ms: number };
const QUARTER_MS = 900_000;
/** By the quarter of an hour and the zone: no zone changes its offset within one. */
const knownOffsets = new Map<string, Offset>();

/** A time in ISO 8601 with milliseconds and the offset of `zone`, as PostgreSQL writes it in answers. */
export function isoTimeIn(zone: string, at: Date): string {
  const key = `${zone} ${Math.floor(at.getTime() / QUARTER_MS)}`;
  const offset = knownOffsets.get(key) ?? findOffset(zone, at);
  if (knownOffsets.size >= MAX_DAYS) knownOffsets.clear();
  knownOffsets.set(key, offset);
  return `${new Date(at.getTime() + offset.ms).toISOString().slice(0, -1)}${offset.text}`;
}

function findOffset(zone: string, at: Date): Offset {
  const { offset, offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(
    at.getTime(),
  ).toZonedDateTimeISO(zone);
  return { text: offset, ms: offsetNanoseconds / 1_000_000 };
}

/** Serial numbers of zones: 32 bits, compared by the rules of RFC 1982. */
const MODULUS = 2 ** 32;
const HALF = 2 ** 31;

/** How far `serial` is ahead of `other`, from 0 up to all serials. */
const distance = (serial: number, other: number): number => (serial - other + MODULUS) % MODULUS;

/** Whether a secondary that has `other` takes `serial` for newer. */
export function isLaterSerial(serial: number, other: number): boolean {
  const ahead = distance(serial, other);
  return ahead > 0 && ahead < HALF;
}

export const addToSerial = (serial: number, increment: number): number => (serial + increment) % MODULUS;

/** A time that is later by more than this, 34 years, is the way back from a serial that was led around. */
const MAX_STEP = 2 ** 30;

/** The Unix time in seconds, or the next number where that would not be later. */
export function nextSerial(previous: number, now: Date): number {
  const seconds = serialOfTime(now);
  const step = distance(seconds, previous);
  return step > 0 && step <= MAX_STEP ? seconds : addToSerial(previous, 1);
}

/** Serials of the same second or of a busy hour are ahead of the time without a fault. */
const MAX_AHEAD = 86_400;

/** By how many seconds a serial is ahead of the date; undefined if that is no more than a day. */
export function aheadOfDate(serial: number, now: Date): number | undefined {
  const ahead = distance(serial, serialOfTime(now));
  return ahead > MAX_AHEAD && ahead < HALF ? ahead : undefined;
}

/**
 * The way from a serial that is ahead back to the date, for servers that take only later ones (RFC 1982, section 7): first
 * as far ahead as possible, and from there the date is later. Undefined if there is nothing to lead back.
 */
export function stepTowardsDate(
  serial: number,
  now: Date,
): { readonly serial: number; readonly isLast: boolean } | undefined {
  if (aheadOfDate(serial, now) !== undefined) return { serial: addToSerial(serial, HALF - 1), isLast: false };
  const date = serialOfTime(now);
  const step = distance(date, serial);
  return step > MAX_STEP && step < HALF ? { serial: date, isLast: true } : undefined;
}

export const serialOfTime = (now: Date): number => Math.floor(now.getTime() / 1000) % MODULUS;

/** Serial numbers of zones: 32 bits, compared by the rules of RFC 1982. */
const MODULUS = 2 ** 32;
const HALF = 2 ** 31;

/** Whether a secondary that has `other` takes `serial` for newer. */
export function isLaterSerial(serial: number, other: number): boolean {
  const distance = (serial - other + MODULUS) % MODULUS;
  return distance > 0 && distance < HALF;
}

export const addToSerial = (serial: number, increment: number): number => (serial + increment) % MODULUS;

/** The Unix time in seconds, or the next number where that would not be later. */
export function nextSerial(previous: number, now: Date): number {
  const seconds = serialOfTime(now);
  return isLaterSerial(seconds, previous) ? seconds : addToSerial(previous, 1);
}

export const serialOfTime = (now: Date): number => Math.floor(now.getTime() / 1000) % MODULUS;

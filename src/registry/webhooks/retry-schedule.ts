const SECOND_MS = 1_000;
const FIRST_RETRY_MS = 5 * SECOND_MS;
const MAX_RETRY_MS = 6 * 3_600 * SECOND_MS;
const FIRST_PAUSE_MS = SECOND_MS;
const MAX_PAUSE_MS = 300 * SECOND_MS;
/** What a receiver may ask for. */
const MAX_RETRY_AFTER_MS = 3_600 * SECOND_MS;
/** A fifth earlier or later, so that what failed together does not come back together. */
const JITTER = 0.2;

/** The furthest ahead that an attempt and the pause of an endpoint are set. */
export const MAX_ATTEMPT_INTERVAL_MS = MAX_RETRY_MS * (1 + JITTER);
export const MAX_ENDPOINT_PAUSE_MS = MAX_RETRY_AFTER_MS;

const grown = (firstMs: number, maxMs: number, times: number): number =>
  Math.min(firstMs * 2 ** Math.min(times, 40), maxMs);

/** When an event is tried again, exponentially later up to the end of its time; undefined if that is over. */
export function nextAttempt(
  { attempts, tryUntil }: { readonly attempts: number; readonly tryUntil: Date },
  retryAfterMs: number | undefined,
  now: Date,
  random = Math.random(),
): Date | undefined {
  if (now >= tryUntil) return undefined;
  const jittered = grown(FIRST_RETRY_MS, MAX_RETRY_MS, attempts - 1) * (1 - JITTER + 2 * JITTER * random);
  const at = now.getTime() + Math.max(jittered, retryAfterMs ?? 0);
  return new Date(Math.min(at, tryUntil.getTime()));
}

/** Until when an endpoint that failed is left alone. */
export const pauseUntil = (failures: number, retryAfterMs: number | undefined, now: Date): Date =>
  new Date(now.getTime() + Math.max(grown(FIRST_PAUSE_MS, MAX_PAUSE_MS, failures), retryAfterMs ?? 0));

/** A Retry-After header, in seconds or as a date by real time, at most an hour; undefined if it says nothing. */
export function readRetryAfter(header: string | undefined, wallTime: Date): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\d{1,9}$/.test(header)
    ? Number(header) * SECOND_MS
    : Date.parse(header) - wallTime.getTime();
  return wait > 0 ? Math.min(wait, MAX_RETRY_AFTER_MS) : undefined;
}

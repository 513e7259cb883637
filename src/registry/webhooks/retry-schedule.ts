import type { Backoff } from '../../platform/outbox/backoff.ts';

const SECOND_MS = 1_000;
/** What a receiver may ask for. */
const MAX_RETRY_AFTER_MS = 3_600 * SECOND_MS;

/** Of an event. */
export const EVENT_BACKOFF: Backoff = {
  firstMs: 5 * SECOND_MS,
  maxMs: 6 * 3_600 * SECOND_MS,
  jitter: 0.2,
};
/** Of an endpoint that failed: how long nothing is sent to it. */
export const ENDPOINT_BACKOFF: Backoff = { firstMs: SECOND_MS, maxMs: 300 * SECOND_MS };
/** The furthest ahead that the pause of an endpoint is set. */
export const MAX_ENDPOINT_PAUSE_MS = MAX_RETRY_AFTER_MS;

/** An endpoint that has failed for so long is disabled. */
export const MAX_FAILING_DAYS = 5;

/** A Retry-After header, in seconds or as a date by real time, at most an hour; undefined if it says nothing. */
export function readRetryAfter(header: string | undefined, wallTime: Date): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\d{1,9}$/.test(header)
    ? Number(header) * SECOND_MS
    : Date.parse(header) - wallTime.getTime();
  return wait > 0 ? Math.min(wait, MAX_RETRY_AFTER_MS) : undefined;
}

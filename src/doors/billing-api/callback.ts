import type { FastifyInstance } from 'fastify';
import { recordCallback } from '../../billing/payments/callback.ts';
import { addressBucket } from '../../platform/addresses.ts';
import type { Clock } from '../../platform/clock.ts';
import { RateLimiter } from '../../platform/rate-limiter.ts';
import type { Database } from '../../platform/sql/database.ts';

export type CallbackParts = {
  readonly database: Database;
  readonly clock: Clock;
  readonly callbacksPerMinute: number;
  /** Asks the provider about a payment, some time soon; the caller does not wait for it. */
  readonly askSoon: (reference: string) => void;
  /** The same where only the caller knows the reference, at the rate of all such questions. */
  readonly askUnknownSoon: () => void;
};

const REFERENCE = /^[A-Za-z0-9_-]{1,128}$/;
const LONGEST_EVENT = 200;

/** GET callback_handler/callback: anybody may call, so what is said here is only a reason to ask the provider. */
export function callbackRoute(app: FastifyInstance, parts: CallbackParts): void {
  const limiter = new RateLimiter<string>(parts.callbacksPerMinute);
  app.get('/callback_handler/callback', async (request, reply) => {
    const caller = addressBucket(request.ip);
    const { allowed, secondsToReset } = limiter.take(caller);
    if (!allowed)
      return reply
        .code(429)
        .header('retry-after', String(secondsToReset))
        .send({ error: 'Too many callbacks' });
    const { payment_reference: reference, event_name: eventName } = request.query as Record<string, unknown>;
    const wrong = [
      ...(isReference(reference) ? [] : ['payment_reference']),
      ...(isEventName(eventName) ? [] : ['event_name']),
      ...repeatedIn(request.url),
    ];
    if (wrong.length > 0) return reply.code(400).send({ error: `${wrong[0]} cannot be read` });
    const callback = {
      reference: reference as string | undefined,
      eventName: eventName as string | undefined,
      caller,
    };
    const isKnown = await recordCallback(parts.database.writes, callback, parts.clock.now());
    if (callback.reference && isKnown) parts.askSoon(callback.reference);
    else if (callback.reference) parts.askUnknownSoon();
    return { message: 'Callback received' };
  });
}

const isReference = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && REFERENCE.test(value));

const isEventName = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === 'string' && value.length <= LONGEST_EVENT && !value.includes('\0'));

/** payment_reference[]=…, payment_reference[x]=… and the like are arrays to some who wrote them. */
function repeatedIn(url: string): string[] {
  const names = [...new URLSearchParams(url.split('?', 2)[1] ?? '').keys()];
  return ['payment_reference', 'event_name'].filter((name) =>
    names.some((other) => other.startsWith(`${name}[`)),
  );
}

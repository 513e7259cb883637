import { wallClock } from '../../platform/clock/clock.ts';
import type { Logger } from '../../platform/logging.ts';
import { BackgroundOutbox } from '../../platform/outbox/background-outbox.ts';
import { nextAttempt } from '../../platform/outbox/backoff.ts';
import type { Failure, Outcome } from '../../platform/outbox/outbox.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { type PostOptions, postToTarget, type TargetAnswer } from '../../platform/webhooks/post-to-target.ts';
import { TargetResolver } from '../../platform/webhooks/target-resolver.ts';
import { webhookHeaders, webhookSecret } from '../../platform/webhooks/webhook-signature.ts';
import { type ClaimedDelivery, claimDue, markDelivered, markFailed } from './webhook-deliveries.ts';
import { disableFailing } from './disable-endpoint.ts';
import { eventBody } from './event-body.ts';
import { NotTaken } from './failure-reasons.ts';
import { EVENT_BACKOFF, MAX_FAILING_DAYS, readRetryAfter } from './retry-schedule.ts';
import { offersWebhooks, type WebhookSettings } from './known-webhooks.ts';
import { type AttemptEnd, keptResponse } from './webhook-attempts.ts';

export type SenderDependencies = {
  readonly sql: Pool;
  readonly settings: WebhookSettings;
  readonly log: Logger;
  readonly userAgent: string;
  /** Called after each attempt, with the time from the event to it. */
  readonly attempted?: (outcome: Outcome, seconds: number) => void;
  readonly timeoutMs?: number;
  /** By the system's name servers if left out. */
  readonly resolver?: TargetResolver;
} & Pick<PostOptions, 'ca'>;

/** Within the 15 to 30 seconds of the specification. */
const TIMEOUT_MS = 15_000;
const MAX_CONCURRENT = 256;
const MAX_PER_ENDPOINT = 8;
const DAY_MS = 86_400_000;
const GONE = 410;

export type WebhookSender = BackgroundOutbox<ClaimedDelivery, AttemptEnd>;

/** Delivers events. Any number of processes may do so: a delivery is claimed by one of them. */
export function webhookSender(parts: SenderDependencies): WebhookSender {
  const { sql: pool, settings, log, resolver = new TargetResolver() } = parts;
  // How the attempts went whose end is about to be recorded.
  const ends = new WeakMap<ClaimedDelivery, AttemptEnd>();
  return new BackgroundOutbox<ClaimedDelivery, AttemptEnd>(
    {
      async claim(now, underWay) {
        if (!offersWebhooks(settings)) return [];
        const limits = { total: MAX_CONCURRENT - underWay.length, perEndpoint: MAX_PER_ENDPOINT };
        return claimDue(pool, underWay, limits, now);
      },
      async send(delivery, stopped) {
        const startedAt = performance.now();
        const endOf = (status: number | null = null, body = ''): AttemptEnd => ({
          durationMs: Math.round(performance.now() - startedAt),
          status,
          response: keptResponse(body),
        });
        try {
          const { status, body } = await post(parts, resolver, delivery, stopped);
          return endOf(status, body);
        } catch (error) {
          ends.set(delivery, error instanceof NotTaken ? endOf(error.status, error.body) : endOf());
          throw error;
        }
      },
      nextAttempt: (delivery, error, now) =>
        nextAttempt(EVENT_BACKOFF, delivery, now, {
          minMs: error instanceof NotTaken ? error.retryAfterMs : undefined,
        }),
      markSent: (delivery, now, end) => markDelivered(pool, delivery, end, now),
      async markFailed(delivery, now, failure) {
        const end = ends.get(delivery) ?? { durationMs: 0, status: null, response: null };
        const since = await markFailed(pool, delivery, failure, end, now);
        await disableHopeless(parts, delivery, failure, since, now);
      },
      report: (delivery, outcome, now, error) => report(parts, delivery, outcome, now, error),
    },
    {
      maxConcurrent: MAX_CONCURRENT,
      unrecorded: ({ eventId }, error) => log.error({ err: error, event: eventId }, 'webhook not recorded'),
    },
  );
}

/** The answer of a receiver that has taken the event. */
async function post(
  { settings, userAgent, ca, timeoutMs = TIMEOUT_MS }: SenderDependencies,
  resolver: TargetResolver,
  delivery: ClaimedDelivery,
  stopped: AbortSignal | undefined,
): Promise<Pick<TargetAnswer, 'status' | 'body'>> {
  const { url, eventId, salts, registrarId: owner } = delivery;
  const body = eventBody(delivery);
  const secrets = salts.map((salt) => webhookSecret(settings.secret ?? '', Buffer.from(salt, 'hex')));
  // Receivers compare the time with theirs, also where the registry's clock was moved.
  const signed = webhookHeaders({ id: eventId, body, at: wallClock.now() }, secrets);
  const {
    status,
    retryAfter,
    body: answer,
  } = await postToTarget(
    url,
    body,
    { ...signed, 'user-agent': userAgent },
    {
      rules: settings.rules,
      timeoutMs,
      resolve: (host, signal) => resolver.resolve(host, { owner, signal }),
      ...(stopped && { signal: stopped }),
      ...(ca !== undefined && { ca }),
    },
  );
  if (status < 200 || status >= 300)
    throw new NotTaken(status, answer, readRetryAfter(retryAfter, wallClock.now()));
  return { status, body: answer };
}

/** Disables an endpoint that is gone, or has failed for long. */
async function disableHopeless(
  { sql: pool, log }: SenderDependencies,
  { publicId }: ClaimedDelivery,
  { error }: Failure,
  failingSince: Date | undefined,
  now: Date,
): Promise<void> {
  const isLong = failingSince && now.getTime() - failingSince.getTime() >= MAX_FAILING_DAYS * DAY_MS;
  const isGone = error instanceof NotTaken && error.status === GONE;
  if (!isGone && !isLong) return;
  const reason = isLong ? `every attempt has failed for ${MAX_FAILING_DAYS} days` : 'it answered 410 Gone';
  if (await disableFailing(pool, publicId, reason, now))
    log.warn({ endpoint: publicId, reason }, 'webhook endpoint disabled');
}

/** Neither the URL, which may have a secret in it, nor the content is logged. */
function report(
  { log, attempted }: SenderDependencies,
  { eventId, publicId, attempts, at }: ClaimedDelivery,
  outcome: Outcome,
  now: Date,
  error?: Error,
): void {
  attempted?.(outcome, Math.max(0, now.getTime() - at.getTime()) / 1000);
  const facts = { event: eventId, endpoint: publicId, attempts };
  if (outcome === 'sent') log.debug(facts, 'webhook delivered');
  else {
    const text = outcome === 'postponed' ? 'webhook is tried again' : 'webhook given up';
    log.info({ ...facts, failure: error?.message }, text);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { wallClock } from '../../platform/clock/clock.ts';
import type { Logger } from '../../platform/logging.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { type PostOptions, postToTarget } from '../../platform/webhooks/post-to-target.ts';
import { TargetResolver } from '../../platform/webhooks/target-resolver.ts';
import { webhookHeaders, webhookSecret } from '../../platform/webhooks/webhook-signature.ts';
import { type ClaimedDelivery, claimDue, markDelivered, markFailed } from './delivery-store.ts';
import { disableFailing } from './disable-endpoint.ts';
import { eventBody } from './event-body.ts';
import { type FailedAttempt, failureDetail, failureReason } from './failure-reasons.ts';
import { nextAttempt, pauseUntil, readRetryAfter } from './retry-schedule.ts';
import { offersWebhooks, type WebhookSettings } from './webhook-settings.ts';

export type WebhookOutcome = 'delivered' | 'postponed' | 'given up';
export type SenderDependencies = {
  readonly sql: Pool;
  readonly settings: WebhookSettings;
  readonly log: Logger;
  readonly userAgent: string;
  /** Called after each attempt, with the time from the event to it. */
  readonly attempted?: (outcome: WebhookOutcome, seconds: number) => void;
  readonly timeoutMs?: number;
  /** By the system's name servers if left out. */
  readonly resolver?: TargetResolver;
} & Pick<PostOptions, 'ca'>;

/** Within the 15 to 30 seconds of the specification. */
const TIMEOUT_MS = 15_000;
const MAX_CONCURRENT = 256;
const MAX_PER_ENDPOINT = 8;
/** How long a run waits for attempts under way before it leaves them to the next one. */
const SLOW_ATTEMPT_MS = 250;
/** Attempts that end within this time are followed by one claim. */
const CLAIM_INTERVAL_MS = 10;
/** A run that always finds more ends all the same, so that its record shows that it works. */
const MAX_RUN_MS = 5_000;
const STOP_TIMEOUT_MS = 5_000;
const MAX_FAILING_DAYS = 5;
const DAY_MS = 86_400_000;
const GONE = 410;

/**
 * Delivers events. Attempts outlive the run that started them, so that an endpoint that hangs delays neither the run nor
 * other endpoints. Any number of processes may do so: a delivery is claimed by one of them.
 */
export class WebhookSender {
  readonly #parts: SenderDependencies;
  readonly #resolver: TargetResolver;
  readonly #underWay = new Set<Promise<void>>();
  readonly #load = new Map<number, number>();
  readonly #stopped = new AbortController();

  constructor(parts: SenderDependencies) {
    this.#parts = parts;
    this.#resolver = parts.resolver ?? new TargetResolver();
  }

  /** Starts what is due, or becomes so meanwhile; resolves when nothing more can be started and what is under way takes long. */
  async run(now: Date): Promise<void> {
    if (!offersWebhooks(this.#parts.settings)) return;
    const at = clockFrom(now);
    const end = now.getTime() + MAX_RUN_MS;
    for (let current = now; current.getTime() < end; current = at()) {
      const total = MAX_CONCURRENT - this.#underWay.size;
      const limits = { total, perEndpoint: MAX_PER_ENDPOINT };
      const claimed = total > 0 ? await claimDue(this.#parts.sql, this.#load, limits, current) : [];
      for (const delivery of claimed) this.#start(delivery, current);
      if (this.#underWay.size === 0) return;
      const isLate = await Promise.race([...this.#underWay, sleep(SLOW_ATTEMPT_MS, 'late', { ref: false })]);
      if (isLate === 'late') return;
      await sleep(CLAIM_INTERVAL_MS);
    }
  }

  /** Waits a while for attempts under way. Those that are cut off are made again when their claims expire. */
  async stop(): Promise<void> {
    const ended = Promise.allSettled(this.#underWay);
    await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    this.#stopped.abort();
    await ended;
  }

  #start(delivery: ClaimedDelivery, now: Date): void {
    const { endpointId } = delivery;
    this.#load.set(endpointId, (this.#load.get(endpointId) ?? 0) + 1);
    const attempt = this.#attempt(delivery, now)
      .catch((error) =>
        this.#parts.log.error({ err: error, event: delivery.eventId }, 'webhook not recorded'),
      )
      .finally(() => {
        this.#underWay.delete(attempt);
        const rest = (this.#load.get(endpointId) ?? 1) - 1;
        if (rest > 0) this.#load.set(endpointId, rest);
        else this.#load.delete(endpointId);
      });
    this.#underWay.add(attempt);
  }

  async #attempt(delivery: ClaimedDelivery, claimedAt: Date): Promise<void> {
    const at = clockFrom(claimedAt);
    const end = await this.#post(delivery).catch((error: Error) => ({ error }));
    if (this.#stopped.signal.aborted && 'error' in end) return;
    const now = at();
    if ('status' in end && end.status >= 200 && end.status < 300) {
      await markDelivered(this.#parts.sql, delivery, end.status, now);
      return this.#report(delivery, 'delivered', now);
    }
    await this.#fail(delivery, end, now);
  }

  #post(delivery: ClaimedDelivery) {
    const { url, eventId, salts, registrarId: owner } = delivery;
    const { settings, userAgent, ca, timeoutMs = TIMEOUT_MS } = this.#parts;
    const body = eventBody(delivery);
    const secrets = salts.map((salt) => webhookSecret(settings.secret ?? '', Buffer.from(salt, 'hex')));
    // Receivers compare the time with theirs, also where the registry's clock was moved.
    const signed = webhookHeaders({ id: eventId, body, at: wallClock.now() }, secrets);
    return postToTarget(
      url,
      body,
      { ...signed, 'user-agent': userAgent },
      {
        ...{ rules: settings.rules, timeoutMs, signal: this.#stopped.signal },
        resolve: (host, signal) => this.#resolver.resolve(host, { owner, signal }),
        ...(ca !== undefined && { ca }),
      },
    );
  }

  async #fail(delivery: ClaimedDelivery, end: FailedAttempt, now: Date): Promise<void> {
    const { sql: pool } = this.#parts;
    const answer = 'status' in end ? end : undefined;
    const wait = readRetryAfter(answer?.retryAfter, wallClock.now());
    const next = nextAttempt(delivery, wait, now);
    const pausedUntil = pauseUntil(delivery.failures, wait, now);
    const failure = {
      status: answer?.status,
      reason: failureReason(end),
      nextAttemptAt: next,
      pausedUntil,
    };
    const since = await markFailed(pool, delivery, failure, now);
    const isLong = since !== undefined && now.getTime() - since.getTime() >= MAX_FAILING_DAYS * DAY_MS;
    if (answer?.status === GONE || isLong) {
      const reason = isLong
        ? `every attempt has failed for ${MAX_FAILING_DAYS} days`
        : 'it answered 410 Gone';
      if (await disableFailing(pool, delivery.publicId, reason, now))
        this.#parts.log.warn({ endpoint: delivery.publicId, reason }, 'webhook endpoint disabled');
    }
    this.#report(delivery, next ? 'postponed' : 'given up', now, failureDetail(end));
  }

  /** Neither the URL, which may have a secret in it, nor the content is logged. */
  #report(
    { eventId, publicId, attempts, at }: ClaimedDelivery,
    outcome: WebhookOutcome,
    now: Date,
    failure?: string,
  ): void {
    const { log, attempted } = this.#parts;
    attempted?.(outcome, Math.max(0, now.getTime() - at.getTime()) / 1000);
    const facts = { event: eventId, endpoint: publicId, attempts };
    if (outcome === 'delivered') log.debug(facts, 'webhook delivered');
    else
      log.info(
        { ...facts, failure },
        outcome === 'postponed' ? 'webhook is tried again' : 'webhook given up',
      );
  }
}

/** The clock of the registry, however long something takes. */
function clockFrom(now: Date): () => Date {
  const startedAt = performance.now();
  return () => new Date(now.getTime() + Math.round(performance.now() - startedAt));
}

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { attemptDue } from '../../../platform/outbox/outbox.ts';
import { dueRows, nextDue, type Queue } from '../../../platform/outbox/queue.ts';
import type { Pool } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';

export type Event = {
  readonly paymentReference: string;
  readonly orderReference: string;
  readonly eventName: string;
};
type Callback = Event & { readonly id: string };
type Dependencies = {
  readonly sql: Pool;
  readonly callbackUrl: () => string;
  readonly report: (error: unknown) => void;
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds after the event at which it is repeated until it is acknowledged. */
const REPEATED_AFTER_SECONDS = [1, 5 * MINUTE, HOUR, 24 * HOUR, 48 * HOUR, 72 * HOUR];
const ANSWER_TIMEOUT_MS = 10_000;
/** How long a payer or a script waits until the merchant is notified. */
const WAIT_MS = 2_000;
const BATCH = 10;

const QUEUE: Queue = {
  table: 'provider_simulator.callbacks',
  key: sql`id`,
  waits: sql`next_attempt_at is not null`,
  order: sql`next_attempt_at`,
};

/** The provider's callbacks to the merchant: unsigned GETs, repeated for three days. */
export class Callbacks {
  readonly #dependencies: Dependencies;
  readonly #closing = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();

  constructor(parts: Dependencies) {
    this.#dependencies = parts;
  }

  /** Sends an event at once. Resolves when it was sent, or after WAIT_MS although it is still in flight. */
  async send(event: Event, now: Date): Promise<void> {
    const callback = { ...event, id: randomUUID() };
    await this.#dependencies.sql.run(sql`
      insert into provider_simulator.callbacks (id, payment_reference, order_reference, event_name, created_at, attempts, next_attempt_at)
      values (${callback.id}, ${event.paymentReference}, ${event.orderReference}, ${event.eventName}, ${now}, 1,
        ${now}::timestamptz + ${REPEATED_AFTER_SECONDS[0] ?? 0} * interval '1 second')`);
    const waited = new AbortController();
    const pause = sleep(WAIT_MS, undefined, { signal: waited.signal }).catch(() => {});
    await Promise.race([this.#attempt(callback), pause]);
    waited.abort();
  }

  /** Sends due repetitions. If the clock was moved past several of them, each one is attempted. */
  async sendDue(now: Date): Promise<void> {
    await attemptDue(
      () => this.#claim(now),
      (callback) => this.#attempt(callback),
    );
  }

  next(): Promise<Date | undefined> {
    return nextDue(this.#dependencies.sql, QUEUE);
  }

  /** Aborts requests in flight. */
  async stop(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#inFlight);
  }

  async #claim(now: Date): Promise<Callback[]> {
    if (this.#closing.signal.aborted) return [];
    return this.#dependencies.sql.rows(sql<Callback>`
      update provider_simulator.callbacks set attempts = attempts + 1,
        next_attempt_at = created_at + (${REPEATED_AFTER_SECONDS}::float8[])[attempts + 1] * interval '1 second'
      where id = any(array(${dueRows(QUEUE, now, BATCH)}))
      returning id, payment_reference as "paymentReference", order_reference as "orderReference", event_name as "eventName"`);
  }

  #attempt(callback: Callback): Promise<void> {
    const attempt = this.#request(callback)
      .then((failure) => this.#note(callback, failure))
      .catch(this.#dependencies.report)
      .finally(() => this.#inFlight.delete(attempt));
    this.#inFlight.add(attempt);
    return attempt;
  }

  /** The failure, or null. */
  async #request({ paymentReference, orderReference, eventName }: Callback): Promise<string | null> {
    const url = new URL(this.#dependencies.callbackUrl());
    url.searchParams.set('payment_reference', paymentReference);
    url.searchParams.set('order_reference', orderReference);
    url.searchParams.set('event_name', eventName);
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    try {
      const answer = await fetch(url, { redirect: 'manual', signal });
      await answer.body?.cancel();
      return answer.ok ? null : `status ${answer.status}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async #note({ id }: Callback, failure: string | null): Promise<void> {
    await this.#dependencies.sql.run(sql`
      update provider_simulator.callbacks set last_error = ${failure}::text,
        next_attempt_at = case when ${failure}::text is null then null else next_attempt_at end
      where id = ${id}`);
  }
}

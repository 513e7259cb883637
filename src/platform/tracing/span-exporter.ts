import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging.ts';
import type { Metrics } from '../metrics.ts';
import { backoffMs } from '../outbox/backoff.ts';
import { Counter } from '../prometheus.ts';
import { encodeSpans, type Span } from './otlp.ts';

type Options = {
  /** The base address of a collector. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What every span is about: the service and its version. */
  readonly resource: Span['attributes'];
  readonly log: Logger;
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
};

const PATH = '/v1/traces';
const TIMEOUT_MS = 5_000;
const INTERVAL_MS = 1_000;
const MAX_BATCH = 512;
/** About two megabytes; what comes while it is full is dropped. */
const MAX_QUEUED = 4_096;
const MAX_PAUSE_MS = 30_000;
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Sends spans to a collector in batches, one request at a time. A collector that is slow, silent or away costs memory up
 * to the bound of the queue and nothing else: no request waits for it, and a batch that fails is not repeated.
 */
export class SpanExporter {
  readonly #options: Options;
  #queue: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #failures = 0;
  #isClosed = false;
  exported = 0;
  dropped = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  add(span: Span): void {
    if (this.#isClosed || this.#queue.length >= MAX_QUEUED) {
      this.dropped += 1;
      return;
    }
    this.#queue.push(span);
    if (this.#sending) return;
    if (this.#queue.length === MAX_BATCH && this.#failures === 0) this.#sendNow();
    else this.#timer ??= setTimeout(() => this.#sendNow(), this.#pauseMs()).unref();
  }

  /** Sends what is left, for a second at most. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const rest = (async () => {
      await this.#sending;
      while (this.#queue.length > 0 && this.#failures === 0) await this.#sendBatch();
    })();
    await Promise.race([rest, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    this.dropped += this.#queue.splice(0).length;
  }

  #sendNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending = this.#sendWhileFull().finally(() => {
      this.#sending = undefined;
      if (this.#queue.length > 0 && !this.#isClosed)
        this.#timer = setTimeout(() => this.#sendNow(), this.#pauseMs()).unref();
    });
  }

  async #sendWhileFull(): Promise<void> {
    do await this.#sendBatch();
    while (this.#queue.length >= MAX_BATCH && this.#failures === 0);
  }

  async #sendBatch(): Promise<void> {
    const batch = this.#queue.splice(0, MAX_BATCH);
    const failure = await this.#post(batch).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) this.exported += batch.length;
    else this.dropped += batch.length;
    this.#noteOutcome(failure);
  }

  async #post(batch: readonly Span[]): Promise<void> {
    const { url, headers, resource, timeoutMs = TIMEOUT_MS } = this.#options;
    const response = await fetch(url + PATH, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: encodeSpans(batch, resource),
      // The headers may hold a token, which must not be forwarded.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // Nothing of the answer is read, however long it is.
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the collector answered ${response.status}`);
  }

  /** One line when it begins to fail, and one when it works again. */
  #noteOutcome(failure: unknown): void {
    const { log } = this.#options;
    if (failure !== undefined && this.#failures === 0)
      log.warn({ err: failure }, 'spans cannot be exported and are dropped');
    if (failure === undefined && this.#failures > 0) log.info('spans are exported again');
    this.#failures = failure === undefined ? 0 : this.#failures + 1;
  }

  /** Between two batches; longer after each failure. */
  #pauseMs(): number {
    const { intervalMs = INTERVAL_MS } = this.#options;
    return backoffMs({ firstMs: intervalMs, maxMs: MAX_PAUSE_MS }, this.#failures + 1);
  }
}

export function registerSpanMetrics({ registry }: Metrics, exporter: SpanExporter): void {
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  counter('cadastre_spans_exported_total', 'Spans that the collector accepted', () => exporter.exported);
  counter('cadastre_spans_dropped_total', 'Spans that were dropped', () => exporter.dropped);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Chance } from './chance.ts';
import type { Attempt, Intent, Journal } from './journal.ts';
import type { World } from './world.ts';

export type Call = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};
/** The final answer; undefined where it is unknown. */
export type Reply<Body> =
  | ({ readonly status: number; readonly body: Body } & Pick<Attempt, 'sentAt' | 'endedAt'>)
  | undefined;

const TIMEOUT_MS = 15_000;
/** Some disconnect so early that their request is still in flight. */
const EARLY_TIMEOUTS_OF_ALL = 0.1;
const MAX_EARLY_TIMEOUT_MS = 1_500;
const ATTEMPTS = 12;
const MAX_PAUSE_MS = 2_000;
/** An idempotency key is valid for a day of the registry's time. */
export const KEY_LASTS_MS = 20 * 3_600_000;
const UNTIL_SOMEBODY_LISTENS_MS = 250;
const NOT_SENT = 'not sent';

/** Sends the requests of a client, retries without an answer, and records the outcome. */
export class Caller {
  readonly #world: World;
  readonly #who: string;
  readonly #chance: Chance;
  #count = 0;

  constructor(world: World, who: string, chance: Chance) {
    this.#world = world;
    this.#who = who;
    this.#chance = chance;
  }

  get #journal(): Journal {
    return this.#world.journal;
  }

  /** A read: tried a few times, and not recorded. */
  async look<Body>(call: Call): Promise<Reply<Body>> {
    for (let attempt = 1; attempt <= 3 && !this.#world.ended; attempt++) {
      const attempt = await this.#attempt(call);
      if (attempt.outcome !== 'unknown') return replyOf(attempt);
      await sleep(300);
    }
    return undefined;
  }

  /** With an idempotency key retried until answered, sometimes as two concurrent duplicates; without one sent once. */
  async want<Body>(
    what: string,
    call: Call,
    keyed: boolean,
    timeoutMs?: number,
  ): Promise<{ intent: Intent; reply: Reply<Body> }> {
    this.#count += 1;
    const key = keyed ? `${this.#who}-${this.#count}` : undefined;
    const intent = this.#journal.begin(this.#who, what, key);
    const whole =
      key === undefined ? call : { ...call, headers: { ...call.headers, 'idempotency-key': key } };
    const twice = keyed && this.#chance.happens(0.15);
    const before = this.#world.jumpedMs;
    for (let attempt = 1; attempt <= (keyed ? ATTEMPTS : 1); attempt++) {
      const attemptTimeoutMs = timeoutMs ?? this.#randomTimeoutMs();
      const duplicates = await Promise.all(
        Array.from({ length: twice && attempt === 1 ? 2 : 1 }, () =>
          this.#attempt(whole, intent, attemptTimeoutMs),
        ),
      );
      if (this.#world.jumpedMs - before > KEY_LASTS_MS) intent.lapsed = true;
      if (duplicates.some(({ outcome }) => outcome !== 'unknown') || intent.lapsed) break;
      await sleep(Math.min(MAX_PAUSE_MS, 100 * 2 ** attempt));
    }
    this.#compare(intent);
    const answered = intent.attempts.find(({ outcome }) => outcome === 'done') ?? intent.attempts.at(-1);
    const known = answered && answered.outcome !== 'unknown' ? answered : undefined;
    return { intent, reply: known && replyOf(known) };
  }

  #randomTimeoutMs(): number {
    return this.#chance.happens(EARLY_TIMEOUTS_OF_ALL)
      ? this.#chance.below(MAX_EARLY_TIMEOUT_MS)
      : TIMEOUT_MS;
  }

  /** One key, one answer; codes that are read again may have changed by then. */
  #compare({ key, what, attempts, lapsed }: Intent): void {
    const done = attempts.filter(({ outcome }) => outcome === 'done');
    if (key === undefined || lapsed || what === 'reserve') return;
    if (done.some(({ body }) => !isDeepStrictEqual(body, done[0]?.body)))
      this.#journal.complain('one key, two answers', `${what} ${key}`, JSON.stringify(done));
  }

  /** A refused connection sent nothing, and is no attempt yet. */
  async #attempt(call: Call, intent?: Intent, timeoutMs = TIMEOUT_MS): Promise<Attempt> {
    const requestId = this.#world.newRequestId();
    let sent = await this.#send(call, requestId, timeoutMs);
    while (sent.body === NOT_SENT && !this.#world.ended) {
      await sleep(UNTIL_SOMEBODY_LISTENS_MS);
      sent = await this.#send(call, requestId, timeoutMs);
    }
    const attempt = { requestId, ...sent };
    intent?.attempts.push(attempt);
    // The simulated services of the sandbox may fail with the database.
    if (attempt.status === 500 && !call.path.startsWith('/sandbox/'))
      this.#journal.complain(
        'an answer of 500',
        `${call.method} ${call.path}`,
        JSON.stringify(attempt.body).slice(0, 300),
      );
    return attempt;
  }

  async #send(
    { method, path, headers, body }: Call,
    requestId: string,
    timeoutMs: number,
  ): Promise<Omit<Attempt, 'requestId'>> {
    const sentAt = Date.now();
    try {
      const response = await fetch(`${this.#world.place.node(this.#chance).url}${path}`, {
        method,
        headers: {
          'x-request-id': requestId,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') ?? false;
      const { status } = response;
      const outcome = status < 400 ? 'done' : status < 500 ? 'refused' : 'unknown';
      return {
        outcome,
        status,
        body: isJson ? JSON.parse(text) : text.slice(0, 200),
        sentAt,
        endedAt: Date.now(),
      };
    } catch (error) {
      const code = (error as { cause?: { code?: string } }).cause?.code ?? '';
      const body = code === 'ECONNREFUSED' ? NOT_SENT : 'no answer';
      return { outcome: 'unknown', status: undefined, body, sentAt, endedAt: Date.now() };
    }
  }
}

const replyOf = <Body>({ status = 0, body, sentAt, endedAt }: Attempt): NonNullable<Reply<Body>> => ({
  status,
  body: body as Body,
  sentAt,
  endedAt,
});

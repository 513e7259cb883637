import { type Answer, type Meta, nextPosition, rateLimitIn } from './answer.ts';
import { ConnectionError, type ErrorDetails, Refusal } from './errors.ts';
import { List, type Page } from './list.ts';
import { queryText } from './path.ts';
import { failureOf, readEnvelope } from './read-answer.ts';
import { isPermanent, isRepeatable, type RetryPolicy, waitBefore } from './retry-policy.ts';
import { sleep } from './sleep.ts';
import type { Call, CallRequest, Result, Sender } from './support-types.ts';
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts';

/** One attempt of a call, for logs and metrics. It contains no credentials, bodies or query. */
export type Attempt = {
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  readonly requestId: string;
  readonly key: string | undefined;
  readonly durationMs: number;
  /** Undefined if no answer came. */
  readonly status: number | undefined;
  readonly error: unknown;
};

export type SenderOptions = {
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly authorization: string;
  readonly userAgent: string;
  readonly retry: RetryPolicy;
  readonly timeoutMs: number | undefined;
  readonly onAttempt: ((attempt: Attempt) => void) | undefined;
};

/** Above the 20 s after which the registry answers 503 at the latest; bulk calls have ten times as long. */
const TIMEOUT_MS = 30_000;
const BULK_TIMEOUT_MS = 210_000;
const MAX_KEY_LENGTH = 255;

type Answered = { readonly data: unknown; readonly meta: Meta; readonly answer: TransportAnswer };

export function createSender(options: SenderOptions): Sender {
  return {
    call<T, Name extends string>(request: CallRequest): Call<T, Name> {
      const answered = sendUntilAnswered(options, request).then(({ data, meta }) => ({
        data: data as T,
        meta,
      }));
      return Object.assign(answered, { result: () => resultOf<T, Name>(answered) });
    },
    list<Item>(member: string, request: CallRequest): List<Item> {
      return new List(async (after): Promise<Page<Item>> => {
        // A position includes how many items were skipped before it.
        const query = after === undefined ? request.query : { ...request.query, offset: undefined, after };
        const { data, meta, answer } = await sendUntilAnswered(options, {
          ...request,
          ...(query && { query }),
        });
        const page = data as { readonly count?: number } & Readonly<Record<string, readonly Item[]>>;
        const items = member === '' ? (data as readonly Item[]) : (page[member] ?? []);
        return { items, count: page.count, next: nextPosition(answer.headers), meta };
      });
    },
  };
}

async function resultOf<T, Name extends string>(answered: Promise<Answer<T>>): Promise<Result<T, Name>> {
  try {
    return { ok: true, ...(await answered) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, refusal: error } as Result<T, Name>;
    throw error;
  }
}

/** Sends a request until it is answered or the policy gives up. A change has the same key at every attempt. */
async function sendUntilAnswered(options: SenderOptions, request: CallRequest): Promise<Answered> {
  const { key, signal } = request.options;
  const change = request.method === 'GET' ? undefined : requireKey(key ?? crypto.randomUUID());
  const id = crypto.randomUUID();
  for (let attempts = 1; ; attempts++) {
    signal?.throwIfAborted();
    const sent = { requestId: `${id}.${attempts}`, key: change, attempts };
    const { outcome, isFinal, retryAfterSeconds } = await attempt(options, request, sent);
    const wait = isFinal ? undefined : waitBefore(options.retry, { attempts, retryAfterSeconds });
    if (wait === undefined) {
      if (outcome instanceof Error) throw outcome;
      return outcome;
    }
    await sleep(wait, signal);
  }
}

type Outcome = {
  readonly outcome: Answered | Error;
  readonly isFinal: boolean;
  readonly retryAfterSeconds?: number | undefined;
};

async function attempt(options: SenderOptions, request: CallRequest, sent: ErrorDetails): Promise<Outcome> {
  const began = performance.now();
  const { method, path } = request;
  const tell = (status: number | undefined, error: unknown) =>
    options.onAttempt?.({
      method,
      path,
      attempt: sent.attempts,
      requestId: sent.requestId,
      key: sent.key,
      status,
      error,
      durationMs: performance.now() - began,
    });
  let answer: TransportAnswer;
  try {
    answer = await options.transport.send(transportRequest(options, request, sent));
  } catch (error) {
    tell(undefined, error);
    request.options.signal?.throwIfAborted();
    const message = `${method} ${path}: ${error instanceof Error ? error.message : String(error)}`;
    return { outcome: new ConnectionError(message, sent, error), isFinal: isPermanent(error) };
  }
  tell(answer.status, undefined);
  return readOutcome(request, answer, sent);
}

function readOutcome(request: CallRequest, answer: TransportAnswer, sent: ErrorDetails): Outcome {
  const { status, headers } = answer;
  const wait = Number(headers['retry-after']);
  const details: ErrorDetails = {
    ...sent,
    status,
    rateLimit: rateLimitIn(headers),
    requestId: headers['x-request-id'] ?? sent.requestId,
    retryAfterSeconds: Number.isFinite(wait) ? wait : undefined,
  };
  if (status !== 200 && status !== 201)
    return {
      outcome: failureOf(answer, details),
      isFinal: !isRepeatable(status),
      retryAfterSeconds: details.retryAfterSeconds,
    };
  const envelope = request.isDocument ? { data: answer.body, message: '' } : readEnvelope(answer);
  // A streamed answer can end early whatever its status: then nothing is known of it.
  if (!envelope)
    return { outcome: new ConnectionError('the answer is not complete', details), isFinal: false };
  const { requestId, attempts, key, rateLimit } = details;
  const isReplay = headers['idempotency-replayed'] === 'true';
  const meta: Meta = { status, message: envelope.message, requestId, key, isReplay, rateLimit, attempts };
  return { outcome: { data: envelope.data, meta, answer }, isFinal: true };
}

function transportRequest(
  { baseUrl, authorization, userAgent, timeoutMs }: SenderOptions,
  { method, path, query = {}, body, headers = {}, isBulk, options }: CallRequest,
  { key, requestId }: ErrorDetails,
): TransportRequest {
  const own = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    method,
    url: new URL(`${baseUrl}${path}${queryText(query)}`),
    headers: {
      authorization,
      'user-agent': userAgent,
      'x-request-id': requestId,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(options.dryRun === true && { 'dry-run': 'true' }),
      ...Object.fromEntries(own),
    },
    body: body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body)),
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? timeoutMs ?? (isBulk ? BULK_TIMEOUT_MS : TIMEOUT_MS),
  };
}

function requireKey(key: string): string {
  if (key.length === 0 || key.length > MAX_KEY_LENGTH)
    throw new TypeError(`an idempotency key has 1 to ${MAX_KEY_LENGTH} characters`);
  return key;
}

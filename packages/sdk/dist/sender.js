import { nextPosition, rateLimitIn } from './answer.js';
import { ConnectionError, Refusal } from './errors.js';
import { List } from './list.js';
import { queryText } from './path.js';
import { failureOf, readEnvelope } from './read-answer.js';
import { isPermanent, isRepeatable, waitBefore } from './retry-policy.js';
import { sleep } from './sleep.js';
/** Above the 20 s after which the registry answers 503 at the latest; bulk calls have ten times as long. */
const TIMEOUT_MS = 30_000;
const BULK_TIMEOUT_MS = 210_000;
const MAX_KEY_LENGTH = 255;
export function createSender(options) {
    return {
        call(request) {
            const answered = sendUntilAnswered(options, request).then(({ data, meta }) => ({
                data: data,
                meta,
            }));
            return Object.assign(answered, { result: () => resultOf(answered) });
        },
        list(member, request) {
            return new List(async (after) => {
                // A position includes how many items were skipped before it.
                const query = after === undefined ? request.query : { ...request.query, offset: undefined, after };
                const { data, meta, answer } = await sendUntilAnswered(options, {
                    ...request,
                    ...(query && { query }),
                });
                const page = data;
                const items = member === '' ? data : (page[member] ?? []);
                return { items, count: page.count, next: nextPosition(answer.headers), meta };
            });
        },
    };
}
async function resultOf(answered) {
    try {
        return { ok: true, ...(await answered) };
    }
    catch (error) {
        if (error instanceof Refusal)
            return { ok: false, refusal: error };
        throw error;
    }
}
/** Sends a request until it is answered or the policy gives up. A change has the same key at every attempt. */
async function sendUntilAnswered(options, request) {
    const { key, signal } = request.options;
    const change = request.method === 'GET' ? undefined : requireKey(key ?? crypto.randomUUID());
    const id = crypto.randomUUID();
    for (let attempts = 1;; attempts++) {
        signal?.throwIfAborted();
        const sent = { requestId: `${id}.${attempts}`, key: change, attempts };
        const { outcome, isFinal, retryAfterSeconds } = await attempt(options, request, sent);
        const wait = isFinal ? undefined : waitBefore(options.retry, { attempts, retryAfterSeconds });
        if (wait === undefined) {
            if (outcome instanceof Error)
                throw outcome;
            return outcome;
        }
        await sleep(wait, signal);
    }
}
async function attempt(options, request, sent) {
    const began = performance.now();
    const { method, path } = request;
    const tell = (status, error) => options.onAttempt?.({
        method,
        path,
        attempt: sent.attempts,
        requestId: sent.requestId,
        key: sent.key,
        status,
        error,
        durationMs: performance.now() - began,
    });
    let answer;
    try {
        answer = await options.transport.send(transportRequest(options, request, sent));
    }
    catch (error) {
        tell(undefined, error);
        request.options.signal?.throwIfAborted();
        const message = `${method} ${path}: ${error instanceof Error ? error.message : String(error)}`;
        return { outcome: new ConnectionError(message, sent, error), isFinal: isPermanent(error) };
    }
    tell(answer.status, undefined);
    return readOutcome(request, answer, sent);
}
function readOutcome(request, answer, sent) {
    const { status, headers } = answer;
    const wait = Number(headers['retry-after']);
    const details = {
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
    const meta = { status, message: envelope.message, requestId, key, isReplay, rateLimit, attempts };
    return { outcome: { data: envelope.data, meta, answer }, isFinal: true };
}
function transportRequest({ baseUrl, authorization, userAgent, timeoutMs }, { method, path, query = {}, body, headers = {}, isBulk, options }, { key, requestId }) {
    const own = Object.entries(headers).filter((entry) => entry[1] !== undefined);
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
function requireKey(key) {
    if (key.length === 0 || key.length > MAX_KEY_LENGTH)
        throw new TypeError(`an idempotency key has 1 to ${MAX_KEY_LENGTH} characters`);
    return key;
}

import { AnswerTooLarge, MAX_ANSWER_BYTES } from './transport.js';
/** No answer came. It is a TypeError of fetch, as a wrong use is, and only this is worth a repetition. */
class FetchFailed extends Error {
    /** Of the connection or of TLS, where the runtime tells it. */
    code;
    constructor(cause) {
        const inner = cause.cause;
        super(inner instanceof Error ? `${cause.message}: ${inner.message}` : cause.message, { cause });
        this.code = inner instanceof Error && 'code' in inner ? String(inner.code) : undefined;
    }
}
/** The transport over `fetch`, for runtimes without the modules of Node. It takes no client certificate. */
export function fetchTransport(maxAnswerBytes = MAX_ANSWER_BYTES) {
    return {
        async send({ method, url, headers, body, signal, timeoutMs }) {
            const limit = new TimeLimit(timeoutMs, signal);
            try {
                const request = new Request(url, {
                    method,
                    headers,
                    // The password goes nowhere else.
                    redirect: 'manual',
                    signal: limit.signal,
                    ...(body && { body }),
                });
                const response = await limit.keep(fetch(request).catch(rethrow));
                const content = await readBody(response, maxAnswerBytes, limit);
                return { status: response.status, headers: Object.fromEntries(response.headers), body: content };
            }
            finally {
                limit.end();
            }
        },
        close: () => undefined,
    };
}
function rethrow(error) {
    throw error instanceof TypeError ? new FetchFailed(error) : error;
}
/** Counted after decompression: a small answer can become any number of bytes. */
async function readBody(response, maxBytes, limit) {
    const reader = response.body?.getReader();
    const chunks = [];
    let size = 0;
    for (;;) {
        const part = reader && (await limit.keep(reader.read().catch(rethrow)));
        if (!part || part.done)
            return joined(chunks, size);
        size += part.value.byteLength;
        if (size > maxBytes) {
            await reader?.cancel();
            throw new AnswerTooLarge(maxBytes);
        }
        chunks.push(part.value);
    }
}
function joined(chunks, size) {
    const all = new Uint8Array(size);
    let offset = 0;
    for (const chunk of chunks) {
        all.set(chunk, offset);
        offset += chunk.byteLength;
    }
    return all;
}
/** Ends what has been silent for too long, or what the caller gives up. */
class TimeLimit {
    #controller = new AbortController();
    #timeoutMs;
    #caller;
    #ended;
    constructor(timeoutMs, caller) {
        this.#timeoutMs = timeoutMs;
        this.#caller = caller;
        this.#ended = new Promise((_, reject) => {
            this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
        });
        this.#ended.catch(() => undefined);
        if (caller?.aborted)
            this.#giveUp();
        caller?.addEventListener('abort', this.#giveUp, { once: true });
    }
    get signal() {
        return this.#controller.signal;
    }
    /** Not by the signal alone: in Node a request that was collected as garbage no longer hears it. */
    async keep(step) {
        const silent = new Error(`no answer within ${this.#timeoutMs} ms`);
        const timer = setTimeout(() => this.#controller.abort(silent), this.#timeoutMs);
        try {
            return await Promise.race([step, this.#ended]);
        }
        finally {
            clearTimeout(timer);
        }
    }
    end() {
        this.#caller?.removeEventListener('abort', this.#giveUp);
    }
    #giveUp = () => this.#controller.abort(this.#caller?.reason);
}

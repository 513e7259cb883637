import { AnswerTooLarge, MAX_ANSWER_BYTES, type Transport } from './transport.ts';

/** No answer came. It is a TypeError of fetch, as a wrong use is, and only this is worth a repetition. */
class FetchFailed extends Error {
  /** Of the connection or of TLS, where the runtime tells it. */
  readonly code: string | undefined;

  constructor(cause: TypeError) {
    const inner: unknown = cause.cause;
    super(inner instanceof Error ? `${cause.message}: ${inner.message}` : cause.message, { cause });
    this.code = inner instanceof Error && 'code' in inner ? String(inner.code) : undefined;
  }
}

/** The transport over `fetch`, for runtimes without the modules of Node. It takes no client certificate. */
export function fetchTransport(maxAnswerBytes: number = MAX_ANSWER_BYTES): Transport {
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
      } finally {
        limit.end();
      }
    },
    close: () => undefined,
  };
}

function rethrow(error: unknown): never {
  throw error instanceof TypeError ? new FetchFailed(error) : error;
}

/** Counted after decompression: a small answer can become any number of bytes. */
async function readBody(response: Response, maxBytes: number, limit: TimeLimit): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const part = reader && (await limit.keep(reader.read().catch(rethrow)));
    if (!part || part.done) return joined(chunks, size);
    size += part.value.byteLength;
    if (size > maxBytes) {
      await reader?.cancel();
      throw new AnswerTooLarge(maxBytes);
    }
    chunks.push(part.value);
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
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
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;
  readonly #ended: Promise<never>;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.#caller = caller;
    this.#ended = new Promise((_, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    });
    this.#ended.catch(() => undefined);
    if (caller?.aborted) this.#giveUp();
    caller?.addEventListener('abort', this.#giveUp, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Not by the signal alone: in Node a request that was collected as garbage no longer hears it. */
  async keep<T>(step: Promise<T>): Promise<T> {
    const silent = new Error(`no answer within ${this.#timeoutMs} ms`);
    const timer = setTimeout(() => this.#controller.abort(silent), this.#timeoutMs);
    try {
      return await Promise.race([step, this.#ended]);
    } finally {
      clearTimeout(timer);
    }
  }

  end(): void {
    this.#caller?.removeEventListener('abort', this.#giveUp);
  }

  readonly #giveUp = (): void => this.#controller.abort(this.#caller?.reason);
}

import http from 'node:http';
import https from 'node:https';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** Header values by their name in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

export type TransportRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
  /** How long to wait for the beginning of the answer, and for each further part of it. */
  readonly timeoutMs: number;
};

export type TransportAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
};

/** Sends one request once. Rejects if no whole answer came. */
export type Transport = {
  send(request: TransportRequest): Promise<TransportAnswer>;
  close(): void;
};

/** What identifies the client, and whom it trusts, as node:tls takes it: PEM, or PKCS #12 in `pfx`. */
export type TlsOptions = {
  readonly cert?: string | Uint8Array | undefined;
  readonly key?: string | Uint8Array | undefined;
  readonly pfx?: Uint8Array | undefined;
  readonly passphrase?: string | undefined;
  readonly ca?: string | Uint8Array | undefined;
};

const inflate: Readonly<Record<string, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  gzip: promisify<Uint8Array, Buffer>(zlib.gunzip),
  br: promisify<Uint8Array, Buffer>(zlib.brotliDecompress),
};

/** The transport over node:http and node:https: `fetch` takes no client certificate without another package. */
export function nodeTransport(tls: TlsOptions = {}): Transport {
  const present = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
  const plain = new http.Agent({ keepAlive: true });
  const secure = new https.Agent({ keepAlive: true, ...present });
  return {
    async send(request) {
      const { response, body } = await exchange(request, plain, secure);
      const inflated = inflate[response.headers['content-encoding'] ?? ''];
      return {
        status: response.statusCode ?? 0,
        headers: flat(response.headers),
        body: inflated ? await inflated(body) : body,
      };
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

const flat = (headers: http.IncomingHttpHeaders): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );

type Exchange = { readonly response: http.IncomingMessage; readonly body: Uint8Array };

function exchange(
  { method, url, headers, body, signal, timeoutMs }: TransportRequest,
  plain: http.Agent,
  secure: https.Agent,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: {
        ...headers,
        'accept-encoding': 'gzip, br',
        ...(body && { 'content-length': String(body.byteLength) }),
      },
      ...(signal && { signal }),
    };
    const request =
      url.protocol === 'https:'
        ? https.request(url, { ...options, agent: secure })
        : http.request(url, { ...options, agent: plain });
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    request.on('error', fail);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      timer.refresh();
      response.on('data', (chunk: Buffer) => {
        timer.refresh();
        chunks.push(chunk);
      });
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ response, body: Buffer.concat(chunks) });
      });
    });
    request.end(body);
  });
}

import http from 'node:http';
import https from 'node:https';
import { PassThrough, pipeline, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import {
  AnswerTooLarge,
  type Headers,
  MAX_ANSWER_BYTES,
  type Transport,
  type TransportRequest,
} from './transport.ts';

/** What identifies the client, and whom it trusts, as node:tls takes it: PEM, or PKCS #12 in `pfx`. */
export type TlsOptions = {
  readonly cert?: string | Uint8Array | undefined;
  readonly key?: string | Uint8Array | undefined;
  readonly pfx?: Uint8Array | undefined;
  readonly passphrase?: string | undefined;
  readonly ca?: string | Uint8Array | undefined;
};

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: zlib.createGunzip,
  br: zlib.createBrotliDecompress,
};

/** The transport over node:http and node:https: `fetch` takes no client certificate without another package. */
export function nodeTransport(tls: TlsOptions = {}, maxAnswerBytes: number = MAX_ANSWER_BYTES): Transport {
  const present = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
  const plain = new http.Agent({ keepAlive: true });
  const secure = new https.Agent({ keepAlive: true, ...present });
  return {
    async send(request) {
      const { response, body } = await exchange(request, plain, secure, maxAnswerBytes);
      return { status: response.statusCode ?? 0, headers: flat(response.headers), body };
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
  maxAnswerBytes: number,
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
      timer.refresh();
      response.on('data', () => timer.refresh());
      readBody(response, maxAnswerBytes).then((content) => {
        clearTimeout(timer);
        resolve({ response, body: content });
      }, fail);
    });
    request.end(body);
  });
}

/** Counted while it is decompressed: a small answer can become any number of bytes. */
async function readBody(response: http.IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const decoder = DECODERS[response.headers['content-encoding'] ?? '']?.() ?? new PassThrough();
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The loop ends with an error of either, and ends both where it is left.
  for await (const chunk of pipeline(response, decoder, () => {})) {
    size += chunk.length;
    if (size > maxBytes) throw new AnswerTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

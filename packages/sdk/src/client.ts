import { Groups } from './generated/groups.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './retry-policy.ts';
import { type Attempt, createSender } from './sender.ts';
import { toBase64 } from './base64.ts';
import type { Transport } from './transport.ts';
import { VERSION } from './version.ts';

export type ClientOptions = {
  /** Where the registry is, without `/registry/v1`: `https://registry.example`. */
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** How long to wait for the beginning of an answer, and for each further part of it; 30 s, and 210 s in bulk calls. */
  readonly timeoutMs?: number | undefined;
  /** How many bytes of an answer are read, after decompression; 64 MiB. Beyond it the call fails. */
  readonly maxAnswerBytes?: number | undefined;
  /** Name and version of your program, for the log of the registry. */
  readonly userAgent?: string | undefined;
  /** The password is sent with every request: over plain http only to this machine, or where this is true. */
  readonly allowHttp?: boolean | undefined;
  /** Is told of every attempt. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** Sends the requests instead of the transport of the runtime. */
  readonly transport?: Transport | undefined;
};

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** A client of the registrar API, whatever sends its requests: a member per group of calls. */
export class Client extends Groups {
  readonly #transport: Transport;

  constructor(options: ClientOptions, transport: Transport) {
    const { retry, onAttempt, timeoutMs, userAgent } = options;
    super(
      createSender({
        transport,
        onAttempt,
        timeoutMs,
        baseUrl: requireBaseUrl(options),
        authorization: basicCredentials(options),
        userAgent: [userAgent, `cadastre-sdk/${VERSION}`].filter(Boolean).join(' '),
        retry: { ...DEFAULT_RETRY_POLICY, ...retry },
      }),
    );
    this.#transport = transport;
  }

  /** Closes idle connections. A program ends without it, too. */
  close(): void {
    this.#transport.close();
  }
}

function requireBaseUrl({ baseUrl, allowHttp = false }: ClientOptions): string {
  const url = new URL(baseUrl);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl has neither credentials nor a query nor a fragment');
  if (url.pathname !== '/')
    throw new TypeError(`baseUrl has no path: ${url.origin} instead of ${url.origin}${url.pathname}`);
  const isAllowed =
    url.protocol === 'https:' || (url.protocol === 'http:' && (allowHttp || LOOPBACK.includes(url.hostname)));
  if (!isAllowed) throw new TypeError('baseUrl must begin with https:, since every request has the password');
  return url.origin;
}

function basicCredentials({ username, password }: ClientOptions): string {
  // Programs in JavaScript often take them from variables that are not set.
  if (!username || !password) throw new TypeError('username and password are required');
  if (username.includes(':')) throw new TypeError('a username has no colon');
  return `Basic ${toBase64(new TextEncoder().encode(`${username}:${password}`))}`;
}

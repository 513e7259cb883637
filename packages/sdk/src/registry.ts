import { Groups } from './generated/groups.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './retry-policy.ts';
import { type Attempt, createSender } from './sender.ts';
import { nodeTransport, type TlsOptions, type Transport } from './transport.ts';
import { VERSION } from './version.ts';

export type RegistryOptions = {
  /** Where the registry is, without `/registry/v1`: `https://registry.example`. */
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  /** The client certificate, where the registry requires one, and authorities other than those of Node. */
  readonly tls?: TlsOptions | undefined;
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
  /** Sends the requests instead of node:http and node:https. */
  readonly transport?: Transport | undefined;
};

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/** A client of the registrar API: a member per group of calls. */
export class Registry extends Groups {
  readonly #transport: Transport;

  constructor(options: RegistryOptions) {
    const { retry, tls, maxAnswerBytes, onAttempt, timeoutMs, userAgent } = options;
    const { transport = nodeTransport(tls, maxAnswerBytes) } = options;
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

function requireBaseUrl({ baseUrl, allowHttp = false }: RegistryOptions): string {
  const url = new URL(baseUrl);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl has neither credentials nor a query nor a fragment');
  const isAllowed =
    url.protocol === 'https:' || (url.protocol === 'http:' && (allowHttp || LOOPBACK.includes(url.hostname)));
  if (!isAllowed) throw new TypeError(`baseUrl must begin with https:, since every request has the password`);
  return url.origin + url.pathname.replace(/\/$/, '');
}

function basicCredentials({ username, password }: RegistryOptions): string {
  if (username === '' || password === '') throw new TypeError('username and password are required');
  if (username.includes(':')) throw new TypeError('a username has no colon');
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

import { lookup as systemLookup } from 'node:dns/promises';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { http } from '../node-http.ts';
import { checkTargetUrl, isAllowedTarget, isPublicAddress, type TargetRules } from './target-address.ts';

export type Resolver = (host: string) => Promise<readonly { address: string; family: number }[]>;

export type PostOptions = {
  readonly rules: TargetRules;
  /** For the whole exchange, the resolution of the name included. */
  readonly timeoutMs: number;
  readonly resolve?: Resolver;
  /** Certificates of authorities that are trusted instead of the usual ones. */
  readonly ca?: string;
  readonly signal?: AbortSignal;
};
export type TargetAnswer = { readonly status: number; readonly retryAfter: string | undefined };

/** The target is not one that anything is sent to. */
export class ForbiddenTarget extends Error {
  override name = 'ForbiddenTarget';
}

/** What is read of an answer at the most: nothing of it is used. */
const MAX_ANSWER_BYTES = 4_096;
const MAX_HEADER_BYTES = 8_192;

const resolveBySystem: Resolver = (host) => systemLookup(host, { all: true, verbatim: true });

/**
 * Posts JSON to an address that somebody else chose. The name is resolved once, all its addresses are checked, and the
 * connection goes to one of those; there are no redirects, no cookies, no connections that are used again. Messages of
 * errors have nothing of the answer in them.
 */
export async function postToTarget(
  target: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  options: PostOptions,
): Promise<TargetAnswer> {
  const { rules, timeoutMs, ca } = options;
  const fault = checkTargetUrl(target, rules);
  if (fault !== undefined) throw new ForbiddenTarget(`The target must be ${fault}`);
  const url = new URL(target);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  try {
    return await exchange(url, body, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      },
      agent: false,
      lookup: checkedLookup(options.resolve ?? resolveBySystem, rules, signal),
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
      rules,
      ...(ca !== undefined && { ca }),
    });
  } catch (error) {
    if (timeout.aborted) throw new Error('No answer (time is up)');
    throw error instanceof ForbiddenTarget ? error : new Error(`No answer (${reasonOf(error)})`);
  }
}

type ExchangeOptions = https.RequestOptions & { readonly rules: TargetRules };

function exchange(url: URL, body: string, { rules, ...options }: ExchangeOptions): Promise<TargetAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<TargetAnswer>();
  const request = (url.protocol === 'https:' ? https : http).request(url, options);
  request.on('error', reject);
  request.on('socket', (socket) =>
    socket.once('connect', () => {
      // What was checked before is checked at the connection itself, before the first byte of the request.
      const address = socket.remoteAddress ?? '';
      // An exception from the rule of the port is for what is not public.
      if (!isAllowedTarget(address, rules) || (url.port !== '' && isPublicAddress(address)))
        request.destroy(new ForbiddenTarget(`The address ${address} is not allowed`));
    }),
  );
  request.on('response', (response) => {
    let read = 0;
    const { statusCode = 0, headers } = response;
    const finish = () => {
      resolve({ status: statusCode, retryAfter: headers['retry-after'] });
      request.destroy();
    };
    response.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > MAX_ANSWER_BYTES) finish();
    });
    response.on('end', finish);
    response.on('error', finish);
  });
  request.end(body);
  return promise;
}

/** Every address of the name must be allowed: which of them is used is not ours to choose. */
function checkedLookup(resolve: Resolver, rules: TargetRules, signal: AbortSignal): LookupFunction {
  return (host, { all }, callback) => {
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(new Error('time is up'));
    signal.addEventListener('abort', abort, { once: true });
    Promise.race([resolve(host), aborted.promise])
      .finally(() => signal.removeEventListener('abort', abort))
      .then((found) => {
        const wrong = found.find(({ address }) => !isAllowedTarget(address, rules));
        if (wrong)
          throw new ForbiddenTarget(`${host} has the address ${wrong.address}, which is not allowed`);
        const [first] = found;
        if (!first) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
        if (all) callback(null, [...found]);
        else callback(null, first.address, first.family);
      })
      .catch((error: NodeJS.ErrnoException) => callback(error, ''));
  };
}

function reasonOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'the request failed';
}

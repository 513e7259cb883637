import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { http } from '../node-http.ts';
import { checkTargetUrl, isAllowedTarget, isPublicAddress, type TargetRules } from './target-address.ts';
import type { TargetAddress } from './target-resolver.ts';

export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly TargetAddress[]>;

export type PostOptions = {
  readonly rules: TargetRules;
  /** For the whole exchange, the resolution of the name included. */
  readonly timeoutMs: number;
  readonly resolve: Resolve;
  /** Certificates of authorities that are trusted instead of the usual ones. */
  readonly ca?: string;
  readonly signal?: AbortSignal;
};
export type TargetAnswer = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Its beginning as text. Empty if it came from a network that is only allowed: what answers there is not the target's owner's to read. */
  readonly body: string;
};

/** How far an attempt came that got no answer. This may be told to those who chose the target; addresses may not. */
export type TargetFault =
  | 'target not allowed'
  | 'name not resolved'
  | 'not connected'
  | 'not secured'
  | 'not answered'
  | 'time is up';

/** No answer. The message is for operators: it may name addresses of their network. */
export class TargetFailure extends Error {
  override name = 'TargetFailure';
  readonly fault: TargetFault;

  constructor(fault: TargetFault, detail: string) {
    super(`${fault}: ${detail}`);
    this.fault = fault;
  }
}

/** What is read of an answer at the most. */
const MAX_ANSWER_BYTES = 4_096;
const MAX_HEADER_BYTES = 8_192;

/**
 * Posts JSON to an address that somebody else chose. The name is resolved once, all its addresses are checked, and the
 * connection goes to one of those; there are no redirects, no cookies, no connections that are used again. Fails with
 * a `TargetFailure`, which has nothing of the answer in it.
 */
export async function postToTarget(
  target: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  options: PostOptions,
): Promise<TargetAnswer> {
  const { rules, timeoutMs, ca } = options;
  const fault = checkTargetUrl(target, rules);
  if (fault !== undefined) throw new TargetFailure('target not allowed', `must be ${fault}`);
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
      lookup: checkedLookup(options.resolve, rules, signal),
      maxHeaderSize: MAX_HEADER_BYTES,
      signal,
      rules,
      ...(ca !== undefined && { ca }),
    });
  } catch (error) {
    throw timeout.aborted ? new TargetFailure('time is up', `${timeoutMs} ms`) : error;
  }
}

type ExchangeOptions = https.RequestOptions & { readonly rules: TargetRules };

function exchange(url: URL, body: string, { rules, ...options }: ExchangeOptions): Promise<TargetAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<TargetAnswer>();
  const isSecure = url.protocol === 'https:';
  const request = (isSecure ? https : http).request(url, options);
  let fault: TargetFault = 'not connected';
  let isReadable = false;
  request.on('error', (error) =>
    reject(error instanceof TargetFailure ? error : new TargetFailure(fault, error.message)),
  );
  request.on('socket', (socket) => {
    socket.once('connect', () => {
      fault = isSecure ? 'not secured' : 'not answered';
      // What was checked before is checked at the connection itself, before the first byte of the request.
      const address = socket.remoteAddress ?? '';
      isReadable = rules.allowsLoopback || isPublicAddress(address);
      // An exception from the rule of the port is for what is not public.
      if (!isAllowedTarget(address, rules) || (url.port !== '' && isPublicAddress(address)))
        request.destroy(new TargetFailure('target not allowed', `connected to ${address}`));
    });
    socket.once('secureConnect', () => {
      fault = 'not answered';
    });
  });
  request.on('response', (response) => {
    let read = 0;
    const chunks: Buffer[] = [];
    const { statusCode = 0, headers } = response;
    const finish = () => {
      const body = isReadable ? Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString('utf8') : '';
      resolve({ status: statusCode, retryAfter: headers['retry-after'], body });
      request.destroy();
    };
    response.on('data', (chunk: Buffer) => {
      read += chunk.length;
      chunks.push(chunk);
      if (read > MAX_ANSWER_BYTES) finish();
    });
    response.on('end', finish);
    response.on('error', finish);
  });
  request.end(body);
  return promise;
}

/** Every address of the name must be allowed: which of them is used is not ours to choose. */
function checkedLookup(resolve: Resolve, rules: TargetRules, signal: AbortSignal): LookupFunction {
  const resolveAllowed = async (host: string) => {
    const found = await resolve(host, signal).catch((error: Error) => {
      throw new TargetFailure('name not resolved', error.message);
    });
    const wrong = found.find(({ address }) => !isAllowedTarget(address, rules));
    if (wrong) throw new TargetFailure('target not allowed', `${host} has the address ${wrong.address}`);
    return found;
  };
  return (host, { all }, callback) => {
    resolveAllowed(host).then(
      (found) => {
        const [first] = found;
        if (!first) callback(new TargetFailure('name not resolved', `${host} has no address`), '');
        else if (all) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      (error: TargetFailure) => callback(error, ''),
    );
  };
}

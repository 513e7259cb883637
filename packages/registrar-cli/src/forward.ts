import http from 'node:http';
import https from 'node:https';

/** Below the 15 s that the registry waits, so that it hears of the failure and not of a lost connection. */
const FORWARD_TIMEOUT_MS = 13_000;

/** A request whose signature was verified, with the headers that are passed on. */
export type SignedRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer };

/** What came of an event, and what the registry is answered. */
export type Forwarded = {
  readonly status: number;
  readonly retryAfter?: string | undefined;
  /** What is shown of it. */
  readonly outcome: string;
};

export const ACCEPTED: Forwarded = { status: 204, outcome: '' };
const BAD_GATEWAY = 502;
const UNAVAILABLE = 503;
const GONE = 410;

/** Posts the request as it came. A failure of the local address is the answer to the registry, which then repeats it. */
export async function forward(
  target: URL,
  { headers, body }: SignedRequest,
  timeoutMs = FORWARD_TIMEOUT_MS,
): Promise<Forwarded> {
  try {
    const { statusCode = BAD_GATEWAY, headers: answered } = await post(target, headers, body, timeoutMs);
    // The registry would disable the endpoint at once, and nothing would come any more.
    if (statusCode === GONE)
      return { status: UNAVAILABLE, outcome: '410; the registry would disable an endpoint that answers so' };
    return { status: statusCode, retryAfter: answered['retry-after'], outcome: String(statusCode) };
  } catch (error) {
    return { status: BAD_GATEWAY, outcome: `${target.host}: ${textOf(error)}` };
  }
}

const textOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(textOf).join(', ');
  return error instanceof Error ? error.message : String(error);
};

function post(
  target: URL,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
  timeoutMs: number,
): Promise<http.IncomingMessage> {
  return new Promise((answered, failed) => {
    const { request } = target.protocol === 'https:' ? https : http;
    const sent = request(target, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.byteLength },
      // A connection that the local program closes meanwhile must not fail an event.
      agent: false,
    });
    const timer = setTimeout(
      () => sent.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)),
      timeoutMs,
    );
    sent.on('response', (response) => {
      clearTimeout(timer);
      response.on('error', () => undefined);
      response.resume();
      answered(response);
    });
    sent.on('error', (error) => {
      clearTimeout(timer);
      failed(error);
    });
    sent.end(body);
  });
}

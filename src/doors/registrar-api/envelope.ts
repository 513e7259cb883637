import type { Refusal, RefusalKind, Refusals } from '../../operations/refusal.ts';
import type { Envelope, RenderedRefusals } from '../http/answer.ts';
import { refusal } from './registrar-api-refusals.ts';

export const SUCCESS = 1000;
/** The code of the compatibility profile for what waits for a registrant. */
const PENDING = 1001;
export const SUCCESS_TEXT = 'Command completed successfully';

/** The document's table of HTTP statuses by kind of refusal. */
export const statusOf: Readonly<Record<RefusalKind, number>> = {
  syntax: 400,
  rule: 400,
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  'unknown-path': 404,
  'other-method': 405,
  'other-format': 406,
  gone: 410,
  teapot: 418,
  limited: 429,
  fault: 500,
  unavailable: 503,
};

const CHALLENGE = 'Basic realm="registrar", charset="UTF-8"';
const SHORT_WAIT_SECONDS = 1;
/** Maximum entries of `errors`; the message gives the number of the others. */
const MAX_LISTED = 100;

/** Kinds without `errors`: those of unauthenticated clients, and those that the request did not cause. */
const UNLISTED: ReadonlySet<RefusalKind> = new Set(['unauthenticated', 'fault', 'unavailable']);

const successEnvelope = (code: number): Envelope => ({
  head: (message = SUCCESS_TEXT) => `{"code":${code},"message":${JSON.stringify(message)},"data":`,
  tail: '}',
  code,
});

/** The envelope around the data of a success. */
export const envelope = successEnvelope(SUCCESS);
export const pendingEnvelope = successEnvelope(PENDING);

/** The envelope of an error: code and message repeat the first of the failures, unless that summarises all of them. */
export function renderRefusals([first, ...rest]: Refusals): RenderedRefusals {
  const { code, kind } = first;
  const omitted = rest.length + 1 - MAX_LISTED;
  const text = first.summary ?? first.message;
  const message = omitted > 0 ? `${text} (${omitted} more errors are not listed)` : text;
  const listed = UNLISTED.has(kind)
    ? {}
    : { errors: [first, ...rest.slice(0, MAX_LISTED - 1)].map(listedRefusal) };
  const wait = first.retryAfterSeconds ?? (kind === 'unavailable' ? SHORT_WAIT_SECONDS : undefined);
  return {
    status: statusOf[kind],
    code,
    body: { code, message, data: {}, ...listed },
    headers: {
      ...(wait !== undefined && { 'retry-after': String(wait) }),
      ...(kind === 'unauthenticated' && { 'www-authenticate': CHALLENGE }),
    },
  };
}

const listedRefusal = ({ code, message, field, name }: Refusal) => ({ code, message, field, reason: name });

/** The body of the answer to an invalid HTTP request, whichever API it was for. */
export const malformedBody = (): string => JSON.stringify(renderRefusals([refusal('malformedRequest')]).body);

import type { NamedRefusals } from '../../operations/named-refusal.ts';
import type { RefusalKind } from '../../operations/refusal.ts';
import { http } from '../../platform/node-http.ts';
import type { RenderedRefusals } from '../http/http-answer.ts';
import { RDAP_TYPE } from './rdap-objects.ts';

const STATUSES: Readonly<Partial<Record<RefusalKind, number>>> = {
  unauthenticated: 401,
  forbidden: 403,
  missing: 404,
  'other-method': 405,
  limited: 429,
  fault: 500,
  unavailable: 503,
};
/** Registrars come with Basic, requesters with a token. */
const CHALLENGE = 'Basic realm="registrar", charset="UTF-8", Bearer realm="requester"';
const SHORT_WAIT_SECONDS = 1;

/** An error object (RFC 9083, 6). */
export const errorObject = (status: number, description: string) => ({
  rdapConformance: ['rdap_level_0'],
  lang: 'en',
  errorCode: status,
  title: http.STATUS_CODES[status] ?? 'Error',
  description: [description],
});

/** Every failure as an error object. */
export function renderRefusals([first]: NamedRefusals): RenderedRefusals {
  const { kind, message, retryAfterSeconds } = first;
  const status = STATUSES[kind] ?? 400;
  const wait = retryAfterSeconds ?? (kind === 'unavailable' ? SHORT_WAIT_SECONDS : undefined);
  return {
    status,
    body: errorObject(status, message),
    type: RDAP_TYPE,
    headers: {
      'cache-control': 'no-store',
      ...(wait !== undefined && { 'retry-after': String(wait) }),
      ...(kind === 'unauthenticated' && { 'www-authenticate': CHALLENGE }),
    },
  };
}

import { isBillingRefusal } from '../../billing/billing-refusals.ts';
import type { NamedRefusals } from '../../operations/named-refusal.ts';
import type { RefusalKind } from '../../operations/refusal.ts';
import type { RenderedRefusals } from '../http/http-answer.ts';

const SHORT_WAIT = { 'retry-after': '1' };
const CHALLENGE = { 'www-authenticate': 'Bearer' };

/** Kinds with a status other than 400. */
const STATUSES: Readonly<Partial<Record<RefusalKind, number>>> = {
  unauthenticated: 401,
  missing: 404,
  'other-method': 405,
  rule: 422,
  limited: 429,
};

/** The refusal format of this API: one text. */
export function renderRefusals([first]: NamedRefusals): RenderedRefusals {
  const { name, kind, message, retryAfterSeconds, values } = first;
  const text = (status: number, error: string, headers: Readonly<Record<string, string>> = {}) => ({
    status,
    headers,
    body: { error },
  });
  // The portal cannot fix what prevents an invoice from being issued.
  if (isBillingRefusal(name)) return text(502, 'Billing service unavailable', SHORT_WAIT);
  switch (name) {
    case 'keyReused':
      return text(400, 'Idempotency-Key was used for another request');
    case 'bodyTooLarge':
      return text(413, message);
    case 'unreadableMediaType':
    case 'malformedRequest':
      return text(400, 'The request cannot be read');
  }
  if (kind === 'unavailable')
    return text(503, 'Service unavailable', { 'retry-after': String(retryAfterSeconds ?? 1) });
  if (kind === 'fault') return text(500, `Internal error, request ${values.requestId}`);
  if (kind === 'unknown-path') return text(404, 'Not found');
  return text(STATUSES[kind] ?? 400, message, {
    ...(kind === 'unauthenticated' && CHALLENGE),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  });
}

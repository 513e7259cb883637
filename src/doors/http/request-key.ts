import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { RequestPath } from '../../operations/common-refusals.ts';
import type { RequestKey } from '../../operations/stored-answers.ts';
import type { Names } from '../../operations/named-refusal.ts';
import { refuse } from './request-refusals.ts';

const KEY_HEADER = 'Idempotency-Key';
/** What all APIs call the places of a request. */
export const REQUEST_NAMES: Names<RequestPath> = { requestKey: KEY_HEADER };

/** The client's idempotency key, with a digest of the request. */
export function readRequestKey(request: FastifyRequest, scope: string): RequestKey | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    return refuse('wrongSyntax', { field: KEY_HEADER, expected: '1 to 255 characters' });
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([request.method, request.url, request.body ?? null]))
    .digest();
  return { scope, key, fingerprint, isClients: true };
}

import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { KEY_HEADER, type RequestKey } from '../../operations/idempotency.ts';
import { refuse } from './request-refusals.ts';

/** The client's idempotency key, with a digest of the request. */
export function readRequestKey(request: FastifyRequest, scope: string): RequestKey | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length < 1 || key.length > 255)
    return refuse('wrongSyntax', { field: KEY_HEADER, expected: '1 to 255 characters' });
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([request.method, request.url, request.body ?? null]))
    .digest();
  return { scope, key, fingerprint };
}

import { createHash } from 'node:crypto';
import type { RequestKey } from '../../operations/idempotency.ts';
import type { Refused } from '../../operations/refusal.ts';
import type { Outcome, Quote } from '../../operations/run-operation.ts';
import type { Context } from '../../registry/operation.ts';
import type { ConsoleParts, Visit } from './page.ts';

/** What the person who fills in a form can correct, or wait for; all else is a page of its own. */
export const isOfForm = ({ refusals: [{ kind, name }] }: Refused): boolean =>
  name === 'providerAway' || ['rule', 'syntax', 'limited', 'forbidden', 'missing', 'gone'].includes(kind);

/** Of a dry run by a person. */
export const dryRunContext = (parts: ConsoleParts, visit: Visit): Context => ({
  ...{ principal: visit.principal, now: visit.now, requestId: visit.requestId, dryRun: true },
  ...{ policy: parts.policy, publicUrl: parts.publicUrl() },
});

/** What a dry run would cost; nothing if its operation has no price. */
export const quoteOf = (outcome: Outcome<unknown>): Quote =>
  (outcome.replayed ? undefined : outcome.quote) ?? { price: 0n, balanceAfter: 0n };

const KEY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The same form, sent twice, is carried out once; with another content its key is refused. Undefined if it has none. */
export function formKey(key: string, content: unknown, { session }: Visit): RequestKey | undefined {
  if (!KEY.test(key)) return undefined;
  const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest();
  return { scope: `person:${session.personId}:${session.registrarId}`, key, fingerprint };
}

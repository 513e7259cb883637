import { createHash } from 'node:crypto';
import type { RequestKey } from '../../operations/stored-answers.ts';
import { type OperatorOperation, runOperatorOperation } from '../../operations/operator-operation.ts';
import type { Reason } from '../../operations/reason.ts';
import type { Refusal, Refused } from '../../operations/refusal.ts';
import type { Outcome, Quote } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/database/database.ts';
import { actorOf } from '../../registry/actor.ts';
import type { Context } from '../../registry/operation.ts';
import { refuse } from './form-refusals.ts';
import type { ConsoleParts, Visit } from './console-page.ts';

/** What the person who fills in a form can correct, or wait for; all else is a page of its own. */
export const isOfForm = ({ refusals: [{ kind, name }] }: Refused): boolean =>
  name === 'providerAway' || ['rule', 'syntax', 'limited', 'forbidden', 'missing', 'gone'].includes(kind);

/** Where nothing can be planned by a preview: whether the fields are wrong, or the state of things forbids it. */
export const refusedStatus = (refusals: readonly Refusal[]): number =>
  refusals.every(({ kind }) => kind === 'syntax') ? 400 : 409;

/** Of a dry run by a person. */
export const dryRunContext = (parts: ConsoleParts, visit: Visit): Context => ({
  principal: visit.principal,
  now: visit.now,
  requestId: visit.requestId,
  dryRun: true,
  policy: parts.policy,
  publicUrl: parts.publicUrl(),
});

/** Of a change by a person. */
export const changeContext = (parts: ConsoleParts, visit: Visit): Context => ({
  ...dryRunContext(parts, visit),
  dryRun: false,
});

/** An operation that operators have too, limited to the registrar of the person. */
export const asPerson =
  <Input, Answer>(operation: OperatorOperation<Input, Answer>, reason?: Reason) =>
  (database: Database, input: Input, { principal, ...context }: Context): Promise<Outcome<Answer>> => {
    const by = { actor: actorOf(principal), registrarId: principal.registrarId };
    return runOperatorOperation(database, operation, input, { ...context, ...by, reason });
  };

/** The outcome of what answers with true; else the object is missing. */
export async function found(change: Promise<boolean>): Promise<Outcome<undefined>> {
  if (!(await change)) refuse('objectMissing');
  return NOTHING_DONE;
}

/** Where everything is as it shall be already. */
export const NOTHING_DONE: Outcome<undefined> = { replayed: false, answer: undefined };

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

import {
  carryOut,
  type OperatorContext,
  type OperatorOperation,
} from '../../../operations/operator-operation.ts';
import { Refused } from '../../../operations/refusal.ts';
import type { PersonChange } from '../../../registry/people/person-history.ts';
import type { ConsoleParts, Visit } from '../page.ts';

/** What a person changes about others, or about the registrar that it acts for. */
const operatorBy = (
  { session: { email, registrarId }, requestId, now }: Visit,
  { policy }: Pick<ConsoleParts, 'policy'>,
): OperatorContext => ({ actor: `person:${email}`, now, requestId, registrarId, policy, dryRun: false });

/** Either the answer, or the names of the refusals. */
export type Carried<Answer> =
  | { readonly answer: Answer }
  | { readonly refused: readonly [string, ...string[]] };

/** Carries an operation out for a registrar, for a person who may do it. */
export async function carryOutFor<Input, Answer>(
  visit: Visit,
  { database, policy }: Pick<ConsoleParts, 'database' | 'policy'>,
  operation: OperatorOperation<Input, Answer>,
  input: Input,
  given: Pick<OperatorContext, 'reason'> = {},
): Promise<Carried<Answer>> {
  const context = { ...operatorBy(visit, { policy }), ...given };
  try {
    return { answer: await carryOut(database.writes, operation, input, context) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const [{ name }, ...rest] = error.refusals;
    return { refused: [name, ...rest.map((other) => other.name)] };
  }
}

/** What a person changes about its own login. */
export const personChangeOf = (
  { wallClock }: Pick<ConsoleParts, 'wallClock'>,
  { session: { personId, email, registrarId }, requestId }: Visit,
): PersonChange => ({ personId, email, registrarId, requestId, now: wallClock.now() });

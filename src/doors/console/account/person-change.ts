import type { OperatorChange } from '../../../registry/operator-change.ts';
import type { PersonChange } from '../../../registry/people/person-history.ts';
import type { ConsoleParts, Visit } from '../page.ts';

/** What a person changes about others, or about the registrar that it acts for. */
export const changeBy = ({
  session: { email, registrarId },
  requestId,
  now,
}: Visit): OperatorChange & { readonly registrarId: number } => ({
  actor: `person:${email}`,
  at: now,
  requestId,
  registrarId,
});

/** What a person changes about its own login. */
export const personChangeOf = (
  { wallClock }: Pick<ConsoleParts, 'wallClock'>,
  { session: { personId, email, registrarId }, requestId }: Visit,
): PersonChange => ({ personId, email, registrarId, requestId, now: wallClock.now() });

import type { PersonChange } from '../../../registry/people/person-history.ts';
import type { ConsoleParts, Visit } from '../console-page.ts';

/** What a person changes about its own login. */
export const personChangeOf = (
  { wallClock }: Pick<ConsoleParts, 'wallClock'>,
  { session: { personId, email, registrarId }, requestId }: Visit,
): PersonChange => ({ personId, email, registrarId, requestId, now: wallClock.now() });

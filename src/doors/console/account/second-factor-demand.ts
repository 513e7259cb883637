import type { PersonSession } from '../../../registry/people/person-sessions.ts';
import type { ConsoleParts } from '../console-page.ts';

/** A password alone is enough in the sandbox only. */
export const needsSecondFactor = (
  { mode }: Pick<ConsoleParts, 'mode'>,
  { factor }: Pick<PersonSession, 'factor'>,
): boolean => mode === 'production' && factor === 'password';

import { unlinkIdentity } from '../../../registry/people/identities.ts';
import { type ConsoleChange, consoleAddress } from '../page.ts';
import { personChangeOf } from './person-change.ts';

/** Linking goes over the identity provider: see login/identity-routes.ts. */
export const identityChange: ConsoleChange = {
  ...{ path: '/account/identity/unlink', right: undefined, needsRecentLogin: true },
  run: async (parts, visit) =>
    (await unlinkIdentity(parts.database.writes, personChangeOf(parts, visit)))
      ? { to: consoleAddress('/account'), notice: 'identityUnlinked' }
      : undefined,
};

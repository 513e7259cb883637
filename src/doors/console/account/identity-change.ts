import { unlinkIdentity } from '../../../registry/people/identities.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { found } from '../form-context.ts';
import { consoleAddress } from '../console-page.ts';
import { accountPage } from './account-page.ts';
import { personChangeOf } from './person-change.ts';

/** Linking goes over the identity provider: see login/identity-routes.ts. */
export const identityChange = defineAtOnce({
  path: '/account/identity/unlink',
  right: undefined,
  needsRecentLogin: true,
  page: accountPage,
  load: async () => ({}),
  read: (_form, _account, parts, visit) => ({ value: personChangeOf(parts, visit) }),
  run: (database, change) => found(unlinkIdentity(database.writes, change)),
  to: () => consoleAddress('/account'),
  done: 'identityUnlinked',
});

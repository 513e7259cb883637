import { endOtherSessions, endOwnSession } from '../../../registry/people/own-sessions.ts';
import { defineAtOnce } from '../at-once-form.ts';
import { found, NOTHING_DONE } from '../form-context.ts';
import { refusal } from '../form-refusals.ts';
import { type ConsoleChange, consoleAddress } from '../console-page.ts';
import { accountPage } from './account-page.ts';
import { personChangeOf } from './person-change.ts';

const SESSION_ID = /^[1-9]\d{0,14}$/;
const OF_ACCOUNT = {
  right: undefined,
  page: accountPage,
  load: async () => ({}),
  to: () => consoleAddress('/account'),
} as const;

export const sessionChanges: readonly ConsoleChange[] = [
  defineAtOnce({
    ...OF_ACCOUNT,
    path: '/account/sessions/end',
    read: ({ field }, _account, parts, visit) => {
      const id = field('session');
      return SESSION_ID.test(id)
        ? { value: { id: Number(id), change: personChangeOf(parts, visit) } }
        : { refusals: [refusal('objectMissing')] };
    },
    run: (database, { id, change }) => found(endOwnSession(database.writes, id, change)),
    done: 'sessionEnded',
  }),
  defineAtOnce({
    ...OF_ACCOUNT,
    path: '/account/sessions/end-others',
    read: (_form, _account, parts, visit) => ({
      value: { session: visit.session, change: personChangeOf(parts, visit) },
    }),
    run: async (database, { session, change }) => {
      await endOtherSessions(database.writes, session, change);
      return NOTHING_DONE;
    },
    done: 'otherSessionsEnded',
  }),
];

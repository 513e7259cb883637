import { endOtherSessions, endOwnSession } from '../../../registry/people/own-sessions.ts';
import { type ConsoleChange, consoleAddress } from '../page.ts';
import { personChangeOf } from './person-change.ts';

const SESSION_ID = /^[1-9]\d{0,14}$/;

export const sessionChanges: readonly ConsoleChange[] = [
  {
    ...{ path: '/account/sessions/end', right: undefined },
    run: async (parts, visit, { field }) => {
      const id = field('session');
      const change = personChangeOf(parts, visit);
      const isEnded = SESSION_ID.test(id) && (await endOwnSession(parts.database.writes, Number(id), change));
      return isEnded ? { to: consoleAddress('/account'), notice: 'sessionEnded' } : undefined;
    },
  },
  {
    ...{ path: '/account/sessions/end-others', right: undefined },
    run: async (parts, visit) => {
      await endOtherSessions(parts.database.writes, visit.session, personChangeOf(parts, visit));
      return { to: consoleAddress('/account'), notice: 'otherSessionsEnded' };
    },
  },
];

import { changeLanguage, switchRegistrar } from '../../registry/people/person-sessions.ts';
import { type ConsoleChange, consoleAddress } from './console-page.ts';

/** What the header of every page can do. */
export const ownChanges: readonly ConsoleChange[] = [
  {
    path: '/registrar',
    right: undefined,
    run: async ({ database }, { session, client }, { field }) =>
      (await switchRegistrar(database.writes, session, field('registrar'), client))
        ? { to: consoleAddress(''), notice: 'registrarChanged' }
        : undefined,
  },
  {
    path: '/language',
    right: undefined,
    run: async ({ database }, { session }, { field }) => {
      const [language] = (['en', 'et'] as const).filter((known) => known === field('language'));
      if (language === undefined) return undefined;
      await changeLanguage(database.writes, session.personId, language);
      return { to: consoleAddress(''), notice: 'languageChanged' };
    },
  },
];

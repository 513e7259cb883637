import { describeMove, isRepairedSince, readCopy, readPlace } from '../platform/installation-copy.ts';
import { type DatabaseCheck, ok, problem, warning } from './check.ts';

const REPAIR = 'Before it is confirmed it needs cadastre recovery repair, which was not run since.';

/** Whether this is the registry itself. */
export const copyCheck: DatabaseCheck = {
  name: 'copy',
  async examine({ sql: db, config }) {
    if (config.mode === 'sandbox' || config.databaseUrl === undefined) return [];
    const { state, since, reason, recorded } = await readCopy(db);
    if (state === 'staging')
      return [
        warning(
          `This is a copy for staging since ${since?.toISOString()}: no mail, no payment and no message leaves it.`,
          'Nothing, if that is meant; a staging copy never becomes the registry again.',
        ),
      ];
    const todo =
      'Run cadastre staging on if it is a copy, cadastre recovery confirm if it replaces the original.';
    if (state === 'unconfirmed') {
      const isRepaired = since !== undefined && (await isRepairedSince(db, since));
      return [
        problem(`This database was ${reason}, and may be a copy.`, isRepaired ? todo : `${todo} ${REPAIR}`),
      ];
    }
    const move = recorded && describeMove(recorded, await readPlace(db, config.databaseUrl));
    return [move ? problem(`This may be a copy: ${move}.`, todo) : ok('the registry itself, not a copy')];
  },
};

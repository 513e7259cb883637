import { classifyDatabaseError } from '../platform/database/database-errors.ts';
import { findWrongCounts } from '../registry/stored-counts.ts';
import { type DatabaseCheck, ok, problem, warning } from './check.ts';

export const objectCountsCheck: DatabaseCheck = {
  name: 'object counts',
  async examine({ sql: db }) {
    try {
      const wrong = await findWrongCounts(db);
      if (wrong.length === 0) return [ok('as many domains and contacts as there are')];
      return wrong.map(({ registrar, kind, stored, counted }) =>
        problem(
          `${registrar} has ${counted} objects of kind ${kind}, and ${stored} are counted.`,
          'Somebody wrote with triggers disabled. Delete its rows of this kind from object_counts: they are then counted by every list.',
        ),
      );
    } catch (error) {
      if (classifyDatabaseError(error) !== 'busy') throw error;
      return [
        warning(
          'There are too many objects to be counted within the time of a statement.',
          'Run the doctor with a larger STATEMENT_TIMEOUT_MS.',
        ),
      ];
    }
  },
};

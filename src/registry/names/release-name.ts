import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { nameEntry } from './name-history.ts';

/** Ends a reservation. */
export const releaseName = operatorOperation(
  { name: 'release name', right: 'names', refusals: ['nameNotReserved'] },
  {
    load: (db, { name }: { readonly name: string }) =>
      db.maybe(sql<{ code: string }>`select code from reserved_names where name = ${name}`),

    decide(found, { name }) {
      const { code } = found ?? refuse('nameNotReserved', { name });
      return { answer: { name }, code };
    },

    persist(db, { answer, code }, context) {
      const changed = sql`delete from reserved_names where name = ${answer.name} and code = ${code} returning name`;
      return persistRecorded(db, { changed }, nameEntry('release'), { answer, context });
    },
  },
);

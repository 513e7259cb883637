import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { nameEntry } from './name-history.ts';

export const unblockName = operatorOperation(
  { name: 'unblock name', right: 'names', refusals: ['nameNotBlocked'] },
  {
    load: (db, { name }: { readonly name: string }) =>
      db.rows(sql`select from blocked_names where name = ${name}`),

    decide(found, { name }) {
      if (found.length === 0) refuse('nameNotBlocked', { name });
      return { answer: { name } };
    },

    persist(db, { answer }, context) {
      const changed = sql`delete from blocked_names where name = ${answer.name} returning name`;
      return persistRecorded(db, { changed }, nameEntry('unblock'), { answer, context });
    },
  },
);

import { operatorOperation } from '../operations/operator-operation.ts';
import { persistRecorded } from '../operations/record-history.ts';
import { sql } from '../platform/sql/statement.ts';
import { refuse } from './operator-refusals.ts';

/** Removes the record of a job that no worker runs any more; one that runs it adds it again. */
export const forgetJob = operatorOperation(
  { name: 'forget job', right: 'operation', refusals: ['jobMissing'] },
  {
    load: (db, { job }: { readonly job: string }) => db.rows(sql`select from jobs where name = ${job}`),

    decide(found, { job }) {
      if (found.length === 0) refuse('jobMissing', { job });
      return { answer: { job } };
    },

    persist(db, { answer }, context) {
      const changed = sql`delete from jobs where name = ${answer.job} returning 0 as id, name`;
      const entry = { objectKind: 'job', operation: 'forget job', registrarId: null };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { retriedMails } from '../../platform/mail/mail-view.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';

/** Makes mails due at once, also those that were given up. Answers which there are, and which are not unsent. */
export const retryMails = operatorOperation(
  { name: 'retry mails', right: 'services', refusals: ['unsentMailMissing'] },
  {
    load: (db, { ids }: { readonly ids: readonly string[] }) =>
      db.rows(sql<{ id: number }>`
        select id from mails where id = any(${ids.map(Number)}::bigint[]) and sent_at is null order by id`),

    decide(found, { ids }) {
      const known = found.map(({ id }) => id);
      const due = ids.filter((id) => known.includes(Number(id)));
      if (due.length === 0) refuse('unsentMailMissing', { ids: ids.join(', ') });
      return { answer: { due, missing: ids.filter((id) => !due.includes(id)) }, known };
    },

    persist(db, { answer, known }, context) {
      const changed = retriedMails(known, context.now);
      const entry = {
        objectKind: 'mail',
        operation: 'retry mail',
        registrarId: null,
        rows: known.length,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

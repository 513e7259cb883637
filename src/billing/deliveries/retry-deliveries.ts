import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { retriedDeliveries } from './delivery-view.ts';

/**
 * Makes messages to services due at once, also those that were given up. Answers which there are, and which are not
 * undelivered.
 */
export const retryDeliveries = operatorOperation(
  { name: 'retry deliveries', right: 'services', refusals: ['undeliveredMissing'] },
  {
    load: (db, { ids }: { readonly ids: readonly string[] }) =>
      db.rows(sql<{ id: string }>`
        select id from deliveries where id = any(${[...ids]}::uuid[]) and delivered_at is null order by sequence_number`),

    decide(found, { ids }) {
      const known = found.map(({ id }) => id);
      const due = ids.filter((id) => known.includes(id.toLowerCase()));
      if (due.length === 0) refuse('undeliveredMissing', { ids: ids.join(', ') });
      return { answer: { due, missing: ids.filter((id) => !due.includes(id)) }, known };
    },

    persist(db, { answer, known }, context) {
      const changed = retriedDeliveries(known, context.now);
      const entry = {
        objectKind: 'delivery',
        operation: 'retry delivery',
        registrarId: null,
        rows: known.length,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

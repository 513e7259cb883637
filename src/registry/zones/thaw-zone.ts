import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';

/** Goes on with what was marked meanwhile. */
export const thawZone = operatorOperation(
  { name: 'thaw zone', right: 'zones', refusals: ['zoneNotFrozen'] },
  {
    load: (db, { zone }: { readonly zone: string }) =>
      db.rows(sql`select from zones where zone = ${zone} and frozen_since is not null`),

    decide(found, { zone }) {
      if (found.length === 0) refuse('zoneNotFrozen', { zone });
      return { answer: { zone } };
    },

    persist(db, { answer }, context) {
      const changed = sql`
        update zones set frozen_since = null, frozen_reason = null
        where zone = ${answer.zone} and frozen_since is not null returning id, zone as name`;
      const entry = { objectKind: 'zone', operation: 'thaw' };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';

type OneZone = { readonly zone: string };

/** Stops publication: what is published stays, and changes wait. */
export const freezeZone = operatorOperation(
  { name: 'freeze zone', right: 'zones', refusals: ['zoneNotPublishing'] },
  {
    load: (db, { zone }: OneZone) =>
      db.rows(sql`select from zones where zone = ${zone} and frozen_since is null`),

    decide(found, { zone }) {
      if (found.length === 0) refuse('zoneNotPublishing', { zone });
      return { answer: { zone } };
    },

    persist(db, { answer }, context) {
      const { now, reason } = context;
      const changed = sql`
        update zones set frozen_since = ${now}, frozen_reason = ${reason?.text ?? ''}
        where zone = ${answer.zone} and frozen_since is null returning id, zone as name`;
      const entry = { objectKind: 'zone', operation: 'freeze' };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

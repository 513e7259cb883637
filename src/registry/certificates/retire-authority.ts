import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from './certificate-refusals.ts';

type OneAuthority = { readonly id: number };

/** Rejects all certificates of an authority from now on. */
export const retireAuthority = operatorOperation(
  { name: 'retire authority', right: 'operation', refusals: ['authorityMissing'] },
  {
    load: (db, { id }: OneAuthority) =>
      db.maybe(sql<OneAuthority>`select id from authorities where id = ${id} and retired_at is null`),

    decide: (found, { id }) => ({ answer: found ?? refuse('authorityMissing', { id }) }),

    persist(db, { answer }, context) {
      const changed = sql`
        update authorities set retired_at = ${context.now}, signs = false
        where id = ${answer.id} and retired_at is null returning id, name`;
      // Servers notice a change of the users whose certificates they have checked.
      const noticed = sql`
        update api_users set version = version
        where id in (select user_id from certificates where authority_id in (select id from changed))`;
      const entry = { objectKind: 'authority', operation: 'retire' };
      return persistRecorded(db, { changed, noticed }, entry, { answer, context });
    },
  },
);

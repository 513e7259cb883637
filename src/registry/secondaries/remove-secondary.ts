import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';

/** Removes a server and revokes its keys. */
export const removeSecondary = operatorOperation(
  { name: 'remove secondary', right: 'zones', refusals: ['secondaryMissing'] },
  {
    load: (db, { name }: { readonly name: string }) =>
      db.maybe(
        sql<{ id: number }>`select id from dns_secondaries where name = ${name} and removed_at is null`,
      ),

    decide(found, { name }) {
      const { id } = found ?? refuse('secondaryMissing', { name });
      return { answer: { name }, id };
    },

    persist(db, { answer, id }, context) {
      const { now } = context;
      const changed = sql`
        update dns_secondaries set removed_at = ${now} where id = ${id} and removed_at is null returning id, name`;
      const revoked = sql`
        update dns_keys k set revoked_at = ${now}, secret = null from changed
        where k.secondary_id = changed.id and k.revoked_at is null returning k.name`;
      const entry = {
        objectKind: 'dns secondary',
        operation: 'remove',
        before: sql`jsonb_build_object('keys', (select coalesce(jsonb_agg(name), '[]') from revoked))`,
      };
      return persistRecorded(db, { changed, revoked }, entry, { answer, context });
    },
  },
);

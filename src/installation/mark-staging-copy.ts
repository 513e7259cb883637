import { operatorOperation } from '../operations/operator-operation.ts';
import { persistRecorded } from '../operations/record-history.ts';
import { insertEra } from '../platform/event-eras.ts';
import { readCopy } from '../platform/installation-copy.ts';
import { installationKind } from '../platform/migrations/migrate.ts';
import { sql } from '../platform/sql/statement.ts';
import { refuse } from './operator-refusals.ts';

/** Marks a database as a copy that nothing leaves, for good. Answers its name, and whether it was known to be a copy. */
export const markStagingCopy = operatorOperation(
  { name: 'mark staging copy', right: 'operation', refusals: ['sandboxNeverStaging'] },
  {
    async load(db, _input: Readonly<Record<never, never>>) {
      const { database } = await db.one(sql<{ database: string }>`select current_database() as database`);
      return { database, kind: await installationKind(db), copy: await readCopy(db) };
    },

    decide({ database, kind, copy: { state } }) {
      if (kind === 'sandbox') refuse('sandboxNeverStaging');
      return { answer: { database, wasCopy: state !== undefined }, state: state ?? null };
    },

    persist(db, { answer, state }, context) {
      const { now, reason } = context;
      const changed = sql`
        update installation set copy_state = 'staging', copy_since = ${now}, copy_reason = ${reason?.text ?? null}
        where copy_state is not distinct from ${state} returning 0 as id, 'installation' as name`;
      const entry = {
        objectKind: 'installation',
        operation: 'mark staging copy',
        registrarId: null,
        before: { copy: state },
        after: { copy: 'staging' },
      };
      return persistRecorded(db, { changed, begun: insertEra(now) }, entry, { answer, context });
    },
  },
);

import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { nameEntry } from './name-history.ts';

/** Nobody gets the name from now on; one that is registered stays registered. */
export const blockName = operatorOperation(
  { name: 'block name', right: 'names', refusals: [] },
  {
    // A name that is blocked gets the new reason.
    load: async () => undefined,

    decide: (_, { name }: { readonly name: string }) => ({ answer: { name } }),

    persist(db, { answer }, context) {
      const { now, reason } = context;
      const changed = sql`
        insert into blocked_names as b (name, reason, created_at) values (${answer.name}, ${reason?.text ?? null}, ${now})
        on conflict (name) do update set reason = excluded.reason returning b.name`;
      return persistRecorded(db, { changed }, nameEntry('block'), { answer, context });
    },
  },
);

import { operatorOperation } from '../operations/operator-operation.ts';
import { persistRecorded } from '../operations/record-history.ts';
import { readClockState } from '../platform/clock/clock-readings.ts';
import { sql } from '../platform/sql/statement.ts';
import { refuse } from './operator-refusals.ts';

/** The time is right although it has leapt: what it ends goes on. Answers the leap. */
export const confirmClock = operatorOperation(
  { name: 'confirm clock', right: 'operation', refusals: ['noLeap'] },
  {
    load: (db, _input: Readonly<Record<never, never>>, { now }) => readClockState(db, now),

    decide: ({ leap }) => ({ answer: leap ?? refuse('noLeap') }),

    persist(db, { answer }, context) {
      const { actor, now, reason } = context;
      const { from, to } = answer;
      const changed = sql`
        update clock_readings set confirmed_at = ${now}, confirmed_by = ${actor}, reason = ${reason?.text ?? null}
        where hour = ${to} and confirmed_at is null returning 0 as id, 'installation' as name`;
      const entry = {
        objectKind: 'installation',
        operation: 'confirm clock',
        registrarId: null,
        after: { from, to },
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

import { operatorOperation } from '../operations/operator-operation.ts';
import { persistRecorded } from '../operations/record-history.ts';
import { readMaintenance } from '../platform/read-maintenance.ts';
import { sql } from '../platform/sql/statement.ts';

/** Begins or ends maintenance, within seconds on every server. The reason is for colleagues. */
export const switchMaintenance = operatorOperation(
  { name: 'begin or end maintenance', right: 'operation', refusals: [] },
  {
    load: (db, _input: { readonly isOn: boolean }) => readMaintenance(db),

    decide: (before, { isOn }, { now, reason }) => ({
      answer: { isOn },
      before,
      after: isOn ? { since: now, reason: reason?.text ?? null } : undefined,
    }),

    persist(db, { answer, before, after }, context) {
      const changed = sql`
        update installation set maintenance_since = ${after?.since ?? null}, maintenance_reason = ${after?.reason ?? null}
        where date_trunc('milliseconds', maintenance_since) is not distinct from ${before?.since ?? null}::timestamptz
        returning 0 as id, 'installation' as name`;
      const entry = {
        objectKind: 'installation',
        operation: answer.isOn ? 'begin maintenance' : 'end maintenance',
        registrarId: null,
        before: before ?? null,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

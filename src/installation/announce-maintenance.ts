import { operatorOperation } from '../operations/operator-operation.ts';
import { persistRecorded } from '../operations/record-history.ts';
import { sql } from '../platform/sql/statement.ts';
import { refuse } from './operator-refusals.ts';

export type Announcement = { readonly startsAt: Date; readonly endsAt: Date; readonly text: string | null };

/** Tells every registrar, by an event, of maintenance to come. Nothing begins by it. */
export const announceMaintenance = operatorOperation(
  { name: 'announce maintenance', right: 'operation', refusals: ['maintenanceNotAhead'] },
  {
    load: (db, _input: Announcement) =>
      db.one(sql<{ registrars: number }>`select count(*) as registrars from registrars`),

    decide: ({ registrars }, { startsAt, endsAt, text }, { now }) =>
      startsAt > now && endsAt > startsAt
        ? { answer: { registrars }, after: { starts_at: startsAt, ends_at: endsAt, text } }
        : refuse('maintenanceNotAhead'),

    persist(db, { answer, after }, context) {
      const changed = sql`select id, code as name from registrars order by id`;
      const entry = {
        objectKind: 'registrar',
        operation: 'announce maintenance',
        registrarId: null,
        sponsorId: sql`changed.id`,
        after,
        rows: answer.registrars,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { emailKey } from './person.ts';

type Enabling = {
  readonly email: string;
  /** By the wall clock, as everything about logins. */
  readonly wallTime: Date;
};

/** Lets a disabled person in again. Somebody who works for nobody takes an invitation. */
export const enablePerson = operatorOperation(
  { name: 'enable person', right: 'registrars', refusals: ['personNotDisabled'] },
  {
    load: (db, { email }: Enabling) =>
      db.maybe(sql<{ id: number }>`
        select p.id from people p
        where p.email_key = ${emailKey(email)} and p.disabled_at is not null
          and exists (select from memberships m where m.person_id = p.id)`),

    decide(found, { email, wallTime }) {
      const { id } = found ?? refuse('personNotDisabled', { email });
      return { answer: { email }, id, wallTime };
    },

    persist(db, { answer, id, wallTime }, context) {
      const changed = sql`
        update people p set disabled_at = null, updated_at = ${wallTime}
        where p.id = ${id} and p.disabled_at is not null
          and exists (select from memberships m where m.person_id = p.id)
        returning p.id, p.email as name`;
      const entry = { objectKind: 'person', operation: 'enable', registrarId: null };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

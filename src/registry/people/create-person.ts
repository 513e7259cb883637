import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refusal } from '../operator-refusals.ts';
import { requireRegistrar } from '../registrars/require-registrar.ts';
import { emailKey, type PersonLanguage, type PersonRole } from './person.ts';

/** Hashing is slow, so it is done before the transaction. */
export type HashedPerson = {
  readonly email: string;
  readonly name: string;
  readonly language: PersonLanguage;
  readonly passwordHash: string;
  /** Code of the registrar. */
  readonly registrar: string;
  readonly roles: readonly PersonRole[];
};

/** A person without an invitation, who has a password already: those of a sandbox. */
export const createPerson = operatorOperation(
  { name: 'create person', right: 'registrars', refusals: ['registrarMissing', 'personTaken'] },
  {
    load: (db, { email, registrar }: HashedPerson) =>
      db.maybe(sql<{ id: number; isTaken: boolean }>`
        select id, exists (select from people where email_key = ${emailKey(email)}) as "isTaken"
        from registrars where code = ${registrar}`),

    decide(found, person) {
      const { email, registrar } = person;
      const { id, isTaken } = requireRegistrar(found, registrar);
      requireNone(isTaken ? [refusal('personTaken', { email })] : []);
      return { answer: { email, registrar }, person, registrarId: id };
    },

    persist(db, { answer, person, registrarId }, context) {
      const { email, name, language, passwordHash, registrar, roles } = person;
      const { now } = context;
      const changed = sql`
        insert into people (email, email_key, name, language, password_hash, created_at, updated_at)
        values (${email}, ${emailKey(email)}, ${name}, ${language}, ${passwordHash}, ${now}, ${now})
        on conflict (email_key) do nothing returning id, email as name`;
      const joined = sql`
        insert into memberships (person_id, registrar_id, roles, created_at)
        select id, ${registrarId}, ${[...roles]}::text[], ${now} from changed`;
      const entry = {
        objectKind: 'person',
        operation: 'create',
        registrarId,
        after: { name, registrar, roles },
      };
      return persistRecorded(db, { changed, joined }, entry, { answer, context });
    },
  },
);

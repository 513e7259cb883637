import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type FoundRegistrar, requireRegistrar } from './require-registrar.ts';

type Profile = { readonly code: string; readonly compatibility: boolean };

/** Switches the compatibility profile on or off, within seconds on every server. */
export const setCompatibility = operatorOperation(
  { name: 'set compatibility', right: 'registrars', refusals: ['registrarMissing'] },
  {
    load: (db, { code }: Profile) =>
      db.maybe(sql<FoundRegistrar & { compatibility: boolean }>`
        select id, version, compatibility from registrars where code = ${code}`),

    decide: (found, { code, compatibility }) => ({
      answer: { code, compatibility },
      registrar: requireRegistrar(found, code),
    }),

    persist(db, { answer, registrar }, context) {
      const { compatibility } = answer;
      const changed = sql`
        update registrars set compatibility = ${compatibility}
        where id = ${registrar.id} and version = ${registrar.version} returning id, code as name`;
      const entry = {
        objectKind: 'registrar',
        operation: 'set compatibility',
        registrarId: registrar.id,
        before: { compatibility: registrar.compatibility },
        after: { compatibility },
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

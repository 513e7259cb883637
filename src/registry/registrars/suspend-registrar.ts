import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { loadRegistrar, requireRegistrar } from './require-registrar.ts';

type Suspension = { readonly code: string; readonly isSuspended: boolean };

/** Shuts a registrar out, or lets it in again, within seconds on every server. */
export const suspendRegistrar = operatorOperation(
  { name: 'suspend or activate registrar', right: 'registrars', refusals: ['registrarMissing'] },
  {
    load: (db, { code }: Suspension) => loadRegistrar(db, code),

    decide: (found, { code, isSuspended }) => ({
      answer: { code, isSuspended },
      registrar: requireRegistrar(found, code),
    }),

    persist(db, { answer, registrar }, context) {
      const { isSuspended } = answer;
      const changed = sql`
        update registrars set suspended_at = ${isSuspended ? context.now : null}
        where id = ${registrar.id} and version = ${registrar.version} returning id, code as name`;
      const entry = {
        objectKind: 'registrar',
        operation: isSuspended ? 'suspend' : 'activate',
        registrarId: registrar.id,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

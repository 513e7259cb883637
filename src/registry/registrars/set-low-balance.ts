import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import { loadRegistrar, requireRegistrar } from './require-registrar.ts';

/** Undefined for no notification. */
type LowBalance = { readonly code: string; readonly threshold: Cents | undefined };

/** The balance below which a registrar is notified. */
export const setLowBalance = operatorOperation(
  { name: 'set low balance', right: 'registrars', refusals: ['registrarMissing'] },
  {
    load: (db, { code }: LowBalance) => loadRegistrar(db, code),

    decide: (found, { code, threshold }) => ({
      answer: { code, threshold },
      registrar: requireRegistrar(found, code),
    }),

    persist(db, { answer, registrar }, context) {
      const cents = answer.threshold?.toString() ?? null;
      const changed = sql`
        update registrars r set low_balance = ${cents}::bigint
        where r.id = ${registrar.id} and r.version = ${registrar.version}
        returning r.id, r.code as name, jsonb_build_object('low_balance', r.low_balance) as after`;
      const entry = {
        objectKind: 'registrar',
        operation: 'set low balance',
        registrarId: registrar.id,
        after: sql`changed.after`,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

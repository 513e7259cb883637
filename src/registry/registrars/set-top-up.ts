import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import { loadRegistrar, requireRegistrar } from './require-registrar.ts';

export type AutomaticTopUp = { readonly amount: Cents; readonly threshold: Cents };
/** Undefined for no automatic invoices. */
type TopUpChange = { readonly code: string; readonly topUp: AutomaticTopUp | undefined };

/** Amount of the automatic top-up invoice, and the balance at which it is sent. */
export const setTopUp = operatorOperation(
  { name: 'set top-up', right: 'registrars', refusals: ['registrarMissing'] },
  {
    load: (db, { code }: TopUpChange) => loadRegistrar(db, code),

    decide: (found, { code, topUp }) => ({
      answer: { code, topUp },
      registrar: requireRegistrar(found, code),
    }),

    persist(db, { answer, registrar }, context) {
      const [amount, threshold] = [answer.topUp?.amount, answer.topUp?.threshold];
      const changed = sql`
        update registrars r set top_up_amount = ${amount?.toString() ?? null}::bigint, top_up_threshold = ${threshold?.toString() ?? null}::bigint
        where r.id = ${registrar.id} and r.version = ${registrar.version}
        returning r.id, r.code as name, jsonb_build_object('top_up_amount', r.top_up_amount, 'top_up_at', r.top_up_threshold) as after`;
      const entry = {
        objectKind: 'registrar',
        operation: 'set top-up',
        registrarId: registrar.id,
        after: sql`changed.after`,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

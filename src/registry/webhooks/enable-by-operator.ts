import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { findForOperator, requireForOperator } from './endpoint-for-operator.ts';
import { ENABLED_AGAIN } from './update-endpoint.ts';

/** Delivers to an endpoint again; what failed meanwhile is sent by a replay. */
export const enableByOperator = operatorOperation(
  { name: 'enable webhook', right: 'services', refusals: ['webhookMissing', 'webhookNotDisabled'] },
  {
    load: (db, { id }: { readonly id: string }) => findForOperator(db, id),

    decide(found, { id }) {
      const { isDisabled } = requireForOperator(found, id);
      if (!isDisabled) refuse('webhookNotDisabled', { id });
      return { answer: { id } };
    },

    persist(db, { answer }, context) {
      const changed = sql`
        update webhook_endpoints set ${ENABLED_AGAIN}, updated_at = ${context.now}
        where public_id = ${answer.id} and disabled_at is not null returning id, public_id as name, registrar_id`;
      const entry = {
        objectKind: 'webhook',
        operation: 'enable',
        registrarId: sql`changed.registrar_id`,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

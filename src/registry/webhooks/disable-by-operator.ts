import { operatorTransaction } from '../../operations/operator-operation.ts';
import { refuse } from '../operator-refusals.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import { findForOperator, requireForOperator } from './endpoint-for-operator.ts';

type OneEndpoint = { readonly id: string };

/** Stops all deliveries to an endpoint. Its registrar is told, with the part of the reason that is for it. */
export const disableByOperator = operatorTransaction(
  { name: 'disable webhook', right: 'services', refusals: ['webhookMissing', 'webhookNotEnabled'] },
  {
    async transact(db, { id }: OneEndpoint, context): Promise<OneEndpoint> {
      requireForOperator(await findForOperator(db, id), id);
      const told = context.reason?.forRegistrar;
      const disabledReason = told === undefined ? 'by the registry' : `by the registry, ${told}`;
      if (!(await disableEndpoint(db, id, disabledReason, context))) refuse('webhookNotEnabled', { id });
      return { id };
    },
  },
);

import { operatorTransaction } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { pollOpenPayments } from './poll-leases.ts';

/** Has a worker poll the provider about every open payment. */
export const reconcilePayments = operatorTransaction(
  { name: 'reconcile payments', right: 'money', refusals: [] },
  {
    async transact(db, _input: Readonly<Record<never, never>>, context) {
      const payments = await pollOpenPayments(db, context.now);
      const entry = {
        objectKind: 'installation',
        objectId: 0,
        objectName: 'installation',
        operation: 'reconcile payments',
        registrarId: null,
        after: { payments },
      };
      await db.run(insertHistory(entry, context, sql``));
      return { payments };
    },
  },
);

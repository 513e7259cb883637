import { operatorTransaction } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';

const REFERENCE = /^[A-Za-z0-9_-]{1,128}$/;

/**
 * Has a worker poll the provider about a payment, known or not. Answers the number of the last poll: one with a higher
 * number answers this request.
 */
export const fetchPayment = operatorTransaction(
  { name: 'fetch payment', right: 'money', refusals: ['paymentReferenceInvalid'] },
  {
    async transact(db, { reference }: { readonly reference: string }, context) {
      if (!REFERENCE.test(reference)) refuse('paymentReferenceInvalid');
      const { now } = context;
      const { pollNumber } = await db.one(sql<{ pollNumber: number }>`
        insert into payments (reference, created_at, poll_at) values (${reference}, ${now}, ${now})
        on conflict (reference) do update set poll_at = ${now}, attempts = 0, lane = null returning poll_number as "pollNumber"`);
      const entry = {
        objectKind: 'payment',
        objectId: 0,
        objectName: reference,
        operation: 'fetch payment',
        registrarId: null,
      };
      await db.run(insertHistory(entry, context, sql``));
      return { reference, pollNumber };
    },
  },
);

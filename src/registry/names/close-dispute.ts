import { operatorTransaction } from '../../operations/operator-operation.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { recordDispute } from './record-dispute.ts';

type Disputed = { readonly name: string };

/** Ends a dispute, and its code with it. */
export const closeDispute = operatorTransaction(
  { name: 'close dispute', right: 'names', refusals: ['nameNotDisputed'] },
  {
    async transact(db, { name }: Disputed, context): Promise<Disputed> {
      const closed = await db.rows(sql`
        update disputes set closed_at = ${context.now} where name = ${name} and closed_at is null returning id`);
      if (closed.length === 0) refuse('nameNotDisputed', { name });
      await recordDispute(db, { name, operation: 'close dispute', type: 'status_cancelled' }, context);
      return { name };
    },
  },
);

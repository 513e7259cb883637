import { operatorTransaction } from '../../operations/operator-operation.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from './certificate-refusals.ts';
import { closeRequest } from './close-request.ts';
import { mailDecision } from './mail-decision.ts';

type Refusing = {
  readonly id: number;
  /** The registrar is told it, by mail and in the console. */
  readonly reason: string;
  /** What the link in the mail begins with. */
  readonly publicUrl: string;
};
type RefusedRequest = { readonly id: number };

/** Refuses a request of the queue. */
export const refuseCertificateRequest = operatorTransaction(
  { name: 'refuse certificate request', right: 'registrars', refusals: ['requestNotWaiting'] },
  {
    async transact(db, { id, reason, publicUrl }: Refusing, context): Promise<RefusedRequest> {
      const closing = { outcome: 'refused', reason, operation: 'refuse certificate request' } as const;
      if (!(await closeRequest(db, closing, context, sql`q.id = ${id}`))) refuse('requestNotWaiting', { id });
      await mailDecision(db, id, publicUrl, context.now);
      return { id };
    },
  },
);

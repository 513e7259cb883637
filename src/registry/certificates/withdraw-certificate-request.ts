import { operatorTransaction } from '../../operations/operator-operation.ts';
import { sql } from '../../platform/sql/statement.ts';
import { isWithinRegistrar } from '../registrars/own-registrar.ts';
import { refuse } from './certificate-refusals.ts';
import { closeRequest } from './close-request.ts';

type User = { readonly username: string };

/** Takes back the request of a user that waits. */
export const withdrawCertificateRequest = operatorTransaction(
  { name: 'withdraw certificate request', right: 'registrars', refusals: ['noRequestWaits'] },
  {
    async transact(db, { username }: User, context): Promise<User> {
      const closing = {
        outcome: 'withdrawn',
        reason: null,
        operation: 'withdraw certificate request',
      } as const;
      const isMeant = sql`u.username = ${username} and ${isWithinRegistrar(sql`u.registrar_id`, context)}`;
      if (!(await closeRequest(db, closing, context, isMeant))) refuse('noRequestWaits', { username });
      return { username };
    },
  },
);

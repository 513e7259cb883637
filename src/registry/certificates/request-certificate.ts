import { operatorTransaction } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { loadUser, requireUser } from '../users/require-user.ts';
import { refuse } from './certificate-refusals.ts';
import { requireRequest } from './sign-with-authority.ts';

type Asked = {
  readonly username: string;
  /** In PEM. */
  readonly request: string;
};

/** Puts a request for a certificate of a user into the queue of the operators. */
export const requestCertificate = operatorTransaction(
  {
    name: 'request certificate',
    right: 'registrars',
    refusals: ['requestUnusable', 'requestOfAnother', 'userMissing', 'requestWaits'],
  },
  {
    async prepare({ username, request }: Asked) {
      const { commonName } = await requireRequest(request);
      if (commonName !== username) refuse('requestOfAnother', { at: ['request'], username });
    },

    async transact(db, { username, request }, context): Promise<{ readonly username: string }> {
      const { id, registrarId } = requireUser(await loadUser(db, username, context), username);
      const entered = await db.run(sql`
        insert into certificate_requests (user_id, request, requested_by, created_at)
        values (${id}, ${request}, ${context.actor}, ${context.now})
        on conflict (user_id) where closed_at is null do nothing`);
      if (entered === 0) refuse('requestWaits', { at: ['request'], username });
      const entry = {
        objectKind: 'user',
        objectId: id,
        objectName: username,
        operation: 'request certificate',
        registrarId,
      };
      await db.run(insertHistory(entry, context, sql``));
      return { username };
    },
  },
);

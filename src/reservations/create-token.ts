import { operatorOperation } from '../operations/operator-operation.ts';
import { persistRecorded } from '../operations/record-history.ts';
import { sql } from '../platform/sql/statement.ts';
import { newToken, tokenHash } from '../platform/values/token.ts';
import { requireLater } from '../registry/require-later.ts';
import { refuse } from './operator-refusals.ts';

type NewToken = {
  /** Identifies its user, and is never used again. */
  readonly name: string;
  /** In ISO 8601; until it is revoked if none is given. */
  readonly duration?: string | undefined;
  /** A random one if none is given. */
  readonly token?: string | undefined;
};

const NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** Creates a token of the portal. */
export const createToken = operatorOperation(
  {
    name: 'create portal token',
    right: 'services',
    refusals: ['tokenNameInvalid', 'durationInvalid', 'tokenTaken'],
  },
  {
    load: async (db, { name }: NewToken) => ({
      isTaken: (await db.rows(sql`select from portal_tokens where name = ${name}`)).length > 0,
    }),

    decide({ isTaken }, { name, duration, token = newToken() }, { now, policy }) {
      if (!NAME.test(name)) refuse('tokenNameInvalid');
      const expiresAt =
        duration === undefined ? null : requireLater(now, { duration, example: 'P1Y' }, policy);
      if (isTaken) refuse('tokenTaken', { name });
      return { answer: { name, expiresAt, token } };
    },

    persist(db, { answer }, context) {
      const { name, expiresAt, token } = answer;
      const changed = sql`
        insert into portal_tokens as t (name, token_hash, created_at, expires_at)
        values (${name}, ${tokenHash(token)}, ${context.now}, ${expiresAt})
        on conflict (name) do nothing returning t.id, t.name`;
      const entry = {
        objectKind: 'portal token',
        operation: 'create',
        after: sql`jsonb_build_object('expires_at', ${expiresAt}::timestamptz)`,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

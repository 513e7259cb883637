import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { requireNone } from '../../operations/refusal.ts';
import { sql } from '../../platform/sql/statement.ts';
import { newToken, tokenHash } from '../../platform/values/token.ts';
import { refusal } from '../operator-refusals.ts';

type NewRequester = {
  readonly name: string;
  /** Why it may see hidden contacts. */
  readonly purpose: string;
  readonly expiresAt: Date;
  /** A random one if none is given. */
  readonly token?: string | undefined;
};

const NAME = /^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/;
const MAX_PURPOSE_LENGTH = 500;

/** Adds somebody who sees hidden contacts with a token. */
export const addRequester = operatorOperation(
  {
    name: 'add requester',
    right: 'services',
    refusals: ['requesterNameInvalid', 'purposeInvalid', 'endOver', 'requesterTaken'],
  },
  {
    load: async (db, { name }: NewRequester) => ({
      isTaken: (await db.rows(sql`select from lookup_requesters where name = ${name}`)).length > 0,
    }),

    decide({ isTaken }, { name, purpose: given, expiresAt, token = newToken() }, { now }) {
      const purpose = given.trim();
      const isPurpose = purpose !== '' && purpose.length <= MAX_PURPOSE_LENGTH;
      requireNone([
        ...(NAME.test(name) ? [] : [refusal('requesterNameInvalid')]),
        ...(isPurpose ? [] : [refusal('purposeInvalid', { most: MAX_PURPOSE_LENGTH, at: ['purpose'] })]),
        ...(expiresAt > now ? [] : [refusal('endOver', { at: ['until'] })]),
        ...(isTaken ? [refusal('requesterTaken', { name })] : []),
      ]);
      return { answer: { name, purpose, expiresAt, token } };
    },

    persist(db, { answer }, context) {
      const { name, purpose, expiresAt, token } = answer;
      const changed = sql`
        insert into lookup_requesters as r (name, purpose, token_hash, created_at, expires_at)
        values (${name}, ${purpose}, ${tokenHash(token)}, ${context.now}, ${expiresAt})
        on conflict (name) do nothing returning r.id, r.name`;
      const entry = {
        objectKind: 'look-up requester',
        operation: 'create',
        after: sql`jsonb_build_object('purpose', ${purpose}::text, 'expires_at', ${expiresAt}::timestamptz)`,
      };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

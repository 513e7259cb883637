import { randomBytes } from 'node:crypto';
import { operatorTransaction } from '../../operations/operator-operation.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { requireLater } from '../require-later.ts';
import { endExpired } from './end-disputes.ts';
import { recordDispute } from './record-dispute.ts';

type NewDispute = {
  readonly name: string;
  /** A random one if none is given. */
  readonly code?: string | undefined;
  /** In ISO 8601. */
  readonly duration: string;
};
type OpenedDispute = { readonly name: string; readonly code: string; readonly expiresAt: Date };

const CODE_BYTES = 16;

/** From now on registering the name needs the code, and a domain of that name is frozen. */
export const openDispute = operatorTransaction(
  {
    name: 'open dispute',
    right: 'names',
    refusals: ['durationInvalid', 'disputeCodeEmpty', 'nameDisputed'],
  },
  {
    async transact(db, { name, duration, ...given }: NewDispute, context): Promise<OpenedDispute> {
      const { now, policy } = context;
      const expiresAt = requireLater(now, { duration, example: 'P36M' }, policy);
      if (given.code === '') refuse('disputeCodeEmpty', { at: ['code'] });
      const code = given.code ?? randomBytes(CODE_BYTES).toString('hex');
      await endExpired(db, sql`name = ${name}`, now);
      const opened = await db.rows(sql`
        insert into disputes (name, code, starts_at, expires_at) values (${name}, ${code}, ${now}, ${expiresAt})
        on conflict (name) where closed_at is null do nothing returning id`);
      if (opened.length === 0) refuse('nameDisputed', { name });
      await recordDispute(db, { name, operation: 'open dispute', type: 'status_set' }, context);
      return { name, code, expiresAt };
    },
  },
);

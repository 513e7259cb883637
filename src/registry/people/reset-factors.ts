import { storeAnswer } from '../../operations/stored-answers.ts';
import { operatorOperation } from '../../operations/operator-operation.ts';
import { recordHistory, requireRows } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { refuse } from '../operator-refusals.ts';
import { clearFactors } from './clear-factors.ts';
import { emailKey } from './person.ts';

type Reset = {
  readonly email: string;
  /** By the wall clock, as everything about logins. */
  readonly wallTime: Date;
};

/**
 * For somebody who lost the second factor: the password alone leads to the set-up of another one. The identity at the
 * provider goes too, or the password would lead nowhere.
 */
export const resetFactors = operatorOperation(
  { name: 'reset second factor', right: 'registrars', refusals: ['personMissing'] },
  {
    load: (db, { email }: Reset) =>
      db.maybe(sql<{ id: number }>`select id from people where email_key = ${emailKey(email)}`),

    decide(found, { email, wallTime }) {
      const { id } = found ?? refuse('personMissing', { email });
      return { answer: { email }, id, wallTime };
    },

    async persist(db, { answer, id, wallTime }, context) {
      const changed = sql`
        update people set totp_secret = null, totp_last_step = null, identity = null, updated_at = ${wallTime}
        where id = ${id} returning id, email as name`;
      const entry = { objectKind: 'person', operation: 'reset second factor', registrarId: null };
      await db.run(
        WithStatement.from(storeAnswer(answer, context))
          .and(part('changed', ['stored'], changed))
          .and(clearFactors(wallTime))
          .and(recordHistory(entry, context))
          .end(['recorded'], requireRows('recorded')),
      );
    },
  },
);

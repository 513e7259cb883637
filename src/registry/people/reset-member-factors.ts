import { storeAnswer } from '../../operations/stored-answers.ts';
import { operatorOperation } from '../../operations/operator-operation.ts';
import { recordHistory, requireRows } from '../../operations/record-history.ts';
import { writeMails } from '../../platform/mail/enqueue-mails.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { factorsResetMail } from '../mails/person-mails.ts';
import { refuse } from '../operator-refusals.ts';
import { clearFactors } from './clear-factors.ts';
import { isMembership, type MembershipChange } from './membership.ts';
import type { PersonLanguage } from './person.ts';

type Reset = MembershipChange & {
  /** The name of the administrator who does it. */
  readonly by: string;
};
type Found = {
  readonly id: number;
  readonly registrarId: number;
  readonly registrarName: string;
  readonly email: string;
  readonly language: PersonLanguage;
  readonly isElsewhere: boolean;
};

/**
 * For a colleague who lost the second factor, by an administrator of the registrar. Somebody who works for another
 * registrar too is reset by the registry alone: the other registrar relies on that factor as well.
 */
export const resetMemberFactors = operatorOperation(
  {
    name: 'reset second factor of colleague',
    right: 'registrars',
    refusals: ['membershipMissing', 'personElsewhere'],
  },
  {
    load: (db, membership: Reset, context) =>
      db.maybe(sql<Found>`
        select p.id, p.email, p.language, r.id as "registrarId", r.name as "registrarName",
          exists (select from memberships o where o.person_id = p.id and o.registrar_id <> r.id) as "isElsewhere"
        from memberships m, people p, registrars r where ${isMembership(membership, context)}`),

    decide(found, { email, registrar, wallTime, by }) {
      const person = found ?? refuse('membershipMissing', { email, registrar });
      if (person.isElsewhere) refuse('personElsewhere', { email });
      return { answer: { email, registrar }, person, wallTime, by };
    },

    async persist(db, { answer, person, wallTime, by }, context) {
      const { id, registrarId, registrarName, email, language } = person;
      const changed = sql`
        update people p set totp_secret = null, totp_last_step = null, identity = null, updated_at = ${wallTime}
        where p.id = ${id} and exists (select from memberships m where m.person_id = p.id and m.registrar_id = ${registrarId})
          and not exists (select from memberships o where o.person_id = p.id and o.registrar_id <> ${registrarId})
        returning p.id, p.email as name`;
      const mail = factorsResetMail({ to: email, language, registrar: registrarName, by });
      const entry = { objectKind: 'person', operation: 'reset second factor', registrarId };
      await db.run(
        WithStatement.from(storeAnswer(answer, context))
          .and(part('changed', ['stored'], changed))
          .and(clearFactors(wallTime))
          .and(writeMails([mail], context.now))
          .and(recordHistory(entry, context))
          .end(['recorded'], requireRows('recorded')),
      );
    },
  },
);

import { storeAnswer } from '../../operations/stored-answers.ts';
import { operatorOperation } from '../../operations/operator-operation.ts';
import { requireRows } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { refuse } from '../operator-refusals.ts';
import { isMembership, type MembershipChange, recordMembershipChange } from './membership.ts';

type Found = { readonly personId: number; readonly registrarId: number };

/** Ends the sessions in which somebody acts for a registrar. */
export const endMemberSessions = operatorOperation(
  { name: 'end sessions of person', right: 'registrars', refusals: ['noSessionToEnd'] },
  {
    load: (db, membership: MembershipChange, context) =>
      db.maybe(sql<Found>`
        select p.id as "personId", r.id as "registrarId" from memberships m, people p, registrars r
        where ${isMembership(membership, context)} and exists (
          select from person_sessions s where s.person_id = p.id and s.registrar_id = r.id and s.ended_at is null)`),

    decide(found, { email, registrar, wallTime }) {
      const membership = { email, registrar };
      return { answer: membership, found: found ?? refuse('noSessionToEnd', membership), wallTime };
    },

    async persist(db, { answer, found: { personId, registrarId }, wallTime }, context) {
      const ended = sql`
        update person_sessions set ended_at = ${wallTime}
        where person_id = ${personId} and registrar_id = ${registrarId} and ended_at is null returning registrar_id`;
      const changed = sql`
        select p.id, p.email as name, (select min(registrar_id) from ended) as registrar_id from people p
        where p.id = ${personId} and exists (select from ended)`;
      await db.run(
        WithStatement.from(storeAnswer(answer, context))
          .and(part('ended', ['stored'], ended))
          .and(part('changed', ['ended'], changed))
          .and(recordMembershipChange('end sessions', context))
          .end(['recorded'], requireRows('recorded')),
      );
    },
  },
);

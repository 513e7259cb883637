import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../operator-refusals.ts';
import { isMembership, type Membership } from './membership.ts';

type Found = { readonly personId: number; readonly registrarId: number };

/** Lets somebody in again who was shut out of one registrar. */
export const enableMembership = operatorOperation(
  { name: 'enable person at registrar', right: 'registrars', refusals: ['membershipNotDisabled'] },
  {
    load: (db, membership: Membership, context) =>
      db.maybe(sql<Found>`
        select p.id as "personId", r.id as "registrarId" from memberships m, people p, registrars r
        where ${isMembership(membership, context)} and m.disabled_at is not null`),

    decide(found, { email, registrar }) {
      const membership = { email, registrar };
      return { answer: membership, found: found ?? refuse('membershipNotDisabled', membership) };
    },

    persist(db, { answer, found: { personId, registrarId } }, context) {
      const changed = sql`
        update memberships m set disabled_at = null from people p
        where m.person_id = ${personId} and m.registrar_id = ${registrarId} and m.disabled_at is not null and p.id = m.person_id
        returning p.id, p.email as name`;
      const entry = { objectKind: 'person', operation: 'enable at registrar', registrarId };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);

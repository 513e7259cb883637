import { operatorTransaction } from '../../operations/operator-operation.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { refuse } from '../operator-refusals.ts';
import { keepsAdministrator } from './last-administrator.ts';
import {
  changeMembership,
  endSessionsForRegistrar,
  isMembership,
  type MembershipChange,
  recordMembershipChange,
} from './membership.ts';

/** Shuts somebody out of one registrar, and ends the sessions that act for it. */
export const disableMembership = operatorTransaction(
  {
    name: 'disable person at registrar',
    right: 'registrars',
    refusals: ['membershipNotActive', 'lastAdministrator'],
  },
  {
    async transact(db, { email, registrar, wallTime }: MembershipChange, context) {
      const membership = { email, registrar };
      const changed = sql`
        update memberships m set disabled_at = ${wallTime} from people p, registrars r
        where ${isMembership(membership, context)} and m.disabled_at is null and ${keepsAdministrator}
        returning p.id, p.email as name, r.id as registrar_id`;
      const statement = WithStatement.from(part('changed', [], changed))
        .and(endSessionsForRegistrar(wallTime))
        .and(recordMembershipChange('disable at registrar', context))
        .end(['recorded'], sql`select from recorded`);
      if (!(await changeMembership(db, membership, statement, context)))
        refuse('membershipNotActive', membership);
      return membership;
    },
  },
);

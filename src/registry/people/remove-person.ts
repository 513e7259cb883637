import { operatorTransaction } from '../../operations/operator-operation.ts';
import { Refused } from '../../operations/refusal.ts';
import { json, sql } from '../../platform/sql/statement.ts';
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
import { withdrawInvitation } from './withdraw-invitation.ts';

/**
 * Ends what a person does for a registrar, or withdraws the invitation to it. Somebody who works for no other one is
 * disabled, and begins again with the next invitation.
 */
export const removePerson = operatorTransaction(
  {
    name: 'remove person from registrar',
    right: 'registrars',
    refusals: ['personNotOfRegistrar', 'lastAdministrator'],
  },
  {
    async transact(db, change: MembershipChange, context) {
      const { email, registrar, wallTime } = change;
      const membership = { email, registrar };
      const changed = sql`
        delete from memberships m using people p, registrars r
        where ${isMembership(membership, context)} and ${keepsAdministrator}
        returning p.id, p.email as name, r.id as registrar_id, m.roles`;
      const disabled = sql`
        update people p set disabled_at = ${wallTime}, updated_at = ${wallTime} from changed
        where p.id = changed.id and p.disabled_at is null and not exists (
          select from memberships o where o.person_id = p.id and o.registrar_id <> changed.registrar_id)`;
      const before = sql`${json({ registrar })} || jsonb_build_object('roles', to_jsonb(changed.roles))`;
      const statement = WithStatement.from(part('changed', [], changed))
        .and(endSessionsForRegistrar(wallTime))
        .and(part('disabled', ['changed'], disabled))
        .and(recordMembershipChange('remove from registrar', context, { before }))
        .end(['recorded'], sql`select from recorded`);
      if (await changeMembership(db, membership, statement, context))
        return { ...membership, was: 'member' as const };
      try {
        await withdrawInvitation.within(db, change, context);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refuse('personNotOfRegistrar', membership);
      }
      return { ...membership, was: 'invited' as const };
    },
  },
);

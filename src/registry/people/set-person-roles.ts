import { operatorTransaction } from '../../operations/operator-operation.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { refuse } from '../operator-refusals.ts';
import { keepsAdministrator } from './last-administrator.ts';
import { changeMembership, isMembership, type Membership, recordMembershipChange } from './membership.ts';
import type { PersonRole } from './person.ts';

type Roles = Membership & { readonly roles: readonly PersonRole[] };

/** Sessions have the new roles from their next request on. */
export const setPersonRoles = operatorTransaction(
  { name: 'set roles of person', right: 'registrars', refusals: ['membershipMissing', 'lastAdministrator'] },
  {
    async transact(db, { email, registrar, roles }: Roles, context) {
      const membership = { email, registrar };
      const isAllowed = roles.includes('admin') ? sql`true` : keepsAdministrator;
      const changed = sql`
        update memberships m set roles = ${[...roles]}::text[]
        from people p, registrars r, memberships before
        where ${isMembership(membership, context)} and before.person_id = m.person_id and before.registrar_id = m.registrar_id
          and ${isAllowed}
        returning p.id, p.email as name, r.id as registrar_id, before.roles as before`;
      const versions = {
        before: sql`jsonb_build_object('roles', to_jsonb(changed.before))`,
        after: { roles },
      };
      const statement = WithStatement.from(part('changed', [], changed))
        .and(recordMembershipChange('roles', context, versions))
        .end(['recorded'], sql`select from recorded`);
      if (!(await changeMembership(db, membership, statement, context)))
        refuse('membershipMissing', membership);
      return { email, registrar, roles };
    },
  },
);

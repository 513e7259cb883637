import { operatorTransaction } from '../../operations/operator-operation.ts';
import { recordHistory } from '../../operations/record-history.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { refuse } from '../operator-refusals.ts';
import { endLogins } from './clear-factors.ts';
import { keepsAdministrator, lockRegistrarsOf } from './last-administrator.ts';
import { emailKey } from './person.ts';

type Disabling = {
  readonly email: string;
  /** By the wall clock, as everything about logins. */
  readonly wallTime: Date;
};

/** Shuts somebody out for all registrars; also ends the sessions and withdraws open invitations. */
export const disablePerson = operatorTransaction(
  { name: 'disable person', right: 'registrars', refusals: ['personNotActive', 'lastAdministrator'] },
  {
    async transact(db, { email, wallTime }: Disabling, context) {
      const key = emailKey(email);
      await lockRegistrarsOf(db, email);
      const changed = part(
        'changed',
        [],
        sql`
        update people p set disabled_at = ${wallTime}, updated_at = ${wallTime}
        where p.email_key = ${key} and p.disabled_at is null
          and not exists (select from memberships m where m.person_id = p.id and not ${keepsAdministrator})
        returning id, email as name, email_key`,
      );
      const withdrawn = part(
        'withdrawn',
        ['changed'],
        sql`
        update invitations i set withdrawn_at = ${wallTime} from changed
        where i.email = changed.email_key and i.accepted_at is null and i.withdrawn_at is null`,
      );
      const rows = await db.rows(
        WithStatement.from(changed)
          .and(endLogins(wallTime))
          .and(withdrawn)
          .and(recordHistory({ objectKind: 'person', operation: 'disable', registrarId: null }, context))
          .end(['recorded'], sql`select from recorded`),
      );
      if (rows.length === 1) return { email };
      const active = await db.rows(sql`select from people where email_key = ${key} and disabled_at is null`);
      return refuse(active.length === 1 ? 'lastAdministrator' : 'personNotActive', { email });
    },
  },
);

import { runTransaction } from '../../operations/in-transaction.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { OperatorChange } from '../operator-change.ts';
import { keepsAdministrator, lockRegistrarsOf } from './last-administrator.ts';
import { recordOperatorChange } from './operator-history.ts';
import { emailKey } from './person.ts';
import { endLogins } from './reset-factors.ts';

/** Shuts somebody out for all registrars; also ends the sessions and withdraws open invitations. */
export function disablePerson(
  db: Pool,
  email: string,
  change: OperatorChange,
  now: Date,
): Promise<'disabled' | 'unknown' | 'last administrator'> {
  return runTransaction(db, change.at, async (tx) => {
    await lockRegistrarsOf(tx, email);
    const rows = await tx.rows(sql`
      with changed as (
        update people p set disabled_at = ${now}, updated_at = ${now}
        where p.email_key = ${emailKey(email)} and p.disabled_at is null
          and not exists (select from memberships m where m.person_id = p.id and not ${keepsAdministrator})
        returning id, email, email_key),
      ${endLogins(now)},
      withdrawn as (
        update invitations i set withdrawn_at = ${now} from changed
        where i.email = changed.email_key and i.accepted_at is null and i.withdrawn_at is null)
      ${recordOperatorChange('disable', change)}`);
    if (rows.length === 1) return 'disabled';
    const active = await tx.rows(
      sql`select from people where email_key = ${emailKey(email)} and disabled_at is null`,
    );
    return active.length === 1 ? 'last administrator' : 'unknown';
  });
}

/** False if there is no such person, or it is not disabled, or works for nobody: that takes an invitation. */
export async function enablePerson(
  db: Sql,
  email: string,
  change: OperatorChange,
  now: Date,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with changed as (
      update people p set disabled_at = null, updated_at = ${now}
      where p.email_key = ${emailKey(email)} and p.disabled_at is not null
        and exists (select from memberships m where m.person_id = p.id)
      returning p.id, p.email)
    ${recordOperatorChange('enable', change)}`);
  return rows.length === 1;
}

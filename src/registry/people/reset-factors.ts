import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { OperatorChange } from '../operator-change.ts';
import { recordOperatorChange } from './operator-history.ts';
import { emailKey } from './person.ts';

/** Parts of a statement: everything but the password by which the person of its part `changed` has logged in. */
export const clearFactors = (now: Date): Fragment => sql`
  forgotten_passkeys as (delete from passkeys k using changed where k.person_id = changed.id),
  forgotten_codes as (delete from recovery_codes c using changed where c.person_id = changed.id),
  ${endLogins(now)}`;

/** Parts of a statement: ends every session and every begun login of the person of its part `changed`. */
export const endLogins = (now: Date): Fragment => sql`
  ended as (
    update person_sessions s set ended_at = ${now} from changed
    where s.person_id = changed.id and s.ended_at is null),
  forgotten_steps as (delete from login_steps l using changed where l.person_id = changed.id)`;

/**
 * For somebody who lost the second factor: the password alone leads to the set-up of another one. The identity at the
 * provider goes too, or the password would lead nowhere. False if there is no such person.
 */
export async function resetFactors(
  db: Sql,
  email: string,
  change: OperatorChange,
  now: Date,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with changed as (
      update people set totp_secret = null, totp_last_step = null, identity = null, updated_at = ${now}
      where email_key = ${emailKey(email)} returning id, email),
    ${clearFactors(now)}
    ${recordOperatorChange('reset second factor', change)}`);
  return rows.length === 1;
}

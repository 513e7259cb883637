import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { isPasswordLength } from '../users/password-length.ts';
import { type PersonChange, recordPersonChange } from './person-history.ts';
import type { PersonSession } from './person-sessions.ts';

/** Whether somebody may choose this password. */
export const isAcceptablePassword = (password: string): boolean =>
  isPasswordLength(password) && !/\p{Cc}/u.test(password);

/** Ends every other session of the person, and every login that has come as far as its second factor. */
export async function changePersonPassword(
  db: Sql,
  passwordHash: string,
  { id }: Pick<PersonSession, 'id'>,
  change: PersonChange,
): Promise<void> {
  const { personId, now } = change;
  await db.run(sql`
    with changed as (
      update people set password_hash = ${passwordHash}, updated_at = ${now}
      where id = ${personId} and disabled_at is null
      returning id),
    ended as (
      update person_sessions s set ended_at = ${now} from changed
      where s.person_id = changed.id and s.id <> ${id} and s.ended_at is null),
    forgotten as (delete from login_steps l using changed where l.person_id = changed.id)
    ${recordPersonChange('change password', change)}`);
}

import { sql } from '../../platform/sql/statement.ts';
import { type Part, part, parts } from '../../platform/sql/with.ts';

/** Parts of a statement: ends every session and every begun login of the person of its part `changed`. */
export const endLogins = (now: Date): Part<'ended' | 'forgottenSteps', 'changed'> =>
  parts(
    part(
      'ended',
      ['changed'],
      sql`
      update person_sessions s set ended_at = ${now} from changed
      where s.person_id = changed.id and s.ended_at is null`,
    ),
    part(
      'forgottenSteps',
      ['changed'],
      sql`delete from login_steps l using changed where l.person_id = changed.id`,
    ),
  );

/** The same, and everything but the password by which that person has logged in. */
export const clearFactors = (
  now: Date,
): Part<'forgottenPasskeys' | 'forgottenCodes' | 'ended' | 'forgottenSteps', 'changed'> =>
  parts(
    part(
      'forgottenPasskeys',
      ['changed'],
      sql`delete from passkeys k using changed where k.person_id = changed.id`,
    ),
    part(
      'forgottenCodes',
      ['changed'],
      sql`delete from recovery_codes c using changed where c.person_id = changed.id`,
    ),
    endLogins(now),
  );

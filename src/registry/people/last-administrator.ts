import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { emailKey } from './person.ts';

/**
 * A registrar without an administrator could not let anybody in again. Any change that takes an administrator away locks the
 * registrar first and checks in the next statement, so that of two at once the second sees what the first did.
 */
export async function lockRegistrarsOf(tx: Sql, email: string, registrar?: string): Promise<void> {
  const code = registrar ?? null;
  await tx.run(sql`
    select from registrars r
    where r.id in (
        select m.registrar_id from memberships m join people p on p.id = m.person_id where p.email_key = ${emailKey(email)})
      and (${code}::text is null or r.code = ${code})
    order by r.id for no key update`);
}

/** Whether the registrar has an administrator even without the membership `m` of the person `p`. */
export const keepsAdministrator: Fragment = sql`(
  not ('admin' = any(m.roles) and m.disabled_at is null and p.disabled_at is null)
  or exists (
    select from memberships other join people colleague on colleague.id = other.person_id
    where other.registrar_id = m.registrar_id and other.person_id <> m.person_id
      and 'admin' = any(other.roles) and other.disabled_at is null and colleague.disabled_at is null))`;

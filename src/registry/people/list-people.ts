import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';

export type ListedPerson = {
  readonly email: string;
  readonly name: string;
  /** Code; null for somebody who works for none. */
  readonly registrar: string | null;
  readonly roles: string;
  readonly status: 'active' | 'disabled' | 'invited';
  readonly secondFactor: 'yes' | 'no';
  /** Until when an invitation can be accepted. */
  readonly invitedUntil: Date | null;
};

/** Each person once per registrar, and open invitations. */
export async function listPeople(db: Sql, registrar: string | undefined, now: Date): Promise<ListedPerson[]> {
  const code = registrar ?? null;
  return db.rows(sql<ListedPerson>`
    select p.email, p.name, r.code as registrar, coalesce(array_to_string(m.roles, ', '), '') as roles,
      case when p.disabled_at is null and m.disabled_at is null then 'active' else 'disabled' end as status,
      case when p.totp_secret is not null or p.identity is not null or exists (select from passkeys k where k.person_id = p.id)
        then 'yes' else 'no' end as "secondFactor", null::timestamptz as "invitedUntil"
    from people p left join memberships m on m.person_id = p.id left join registrars r on r.id = m.registrar_id
    where ${code}::text is null or r.code = ${code}
    union all
    select i.email, i.name, r.code, array_to_string(i.roles, ', '), 'invited', 'no', i.expires_at
    from invitations i join registrars r on r.id = i.registrar_id
    where i.accepted_at is null and i.withdrawn_at is null and i.expires_at > ${now} and (${code}::text is null or r.code = ${code})
    order by 1, 3`);
}

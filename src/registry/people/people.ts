import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { hashPassword } from '../access/passwords.ts';
import type { OperatorChange } from '../operator-change.ts';
import { emailKey, type PersonLanguage, type PersonRole } from './person.ts';

export type NewPerson = {
  readonly email: string;
  readonly name: string;
  readonly language: PersonLanguage;
  readonly password: string;
  readonly registrar: string;
  readonly roles: readonly PersonRole[];
};
/** Hashing is slow, so it is done before the transaction. */
export type HashedPerson = Omit<NewPerson, 'password'> & { readonly passwordHash: string };

export const hashedPerson = async ({ password, ...person }: NewPerson): Promise<HashedPerson> => ({
  ...person,
  passwordHash: await hashPassword(password),
});

/** False if the address belongs to somebody, or there is no such registrar. */
export async function createPerson(
  db: Sql,
  { email, name, language, passwordHash, registrar, roles }: HashedPerson,
  { actor, at, reason }: OperatorChange,
): Promise<boolean> {
  const rows = await db.rows(sql`
    with created as (
      insert into people (email, email_key, name, language, password_hash, created_at, updated_at)
      select ${email}, ${emailKey(email)}, ${name}, ${language}, ${passwordHash}, ${at}, ${at}
      from registrars where code = ${registrar}
      on conflict (email_key) do nothing returning id, email),
    joined as (
      insert into memberships (person_id, registrar_id, roles, created_at)
      select created.id, r.id, ${[...roles]}::text[], ${at} from created, registrars r where r.code = ${registrar}
      returning person_id, registrar_id)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, after)
    select ${at}, 'person', created.id, created.email, 'create', joined.registrar_id, ${actor}, ${reason ?? null}, ${json({ name, registrar, roles: [...roles] })}
    from created join joined on joined.person_id = created.id
    returning 1`);
  return rows.length === 1;
}

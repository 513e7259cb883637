import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { tokenHash } from '../../platform/values/token.ts';
import type { PersonLanguage, PersonRole } from './person.ts';

export type OpenInvitation = {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly language: PersonLanguage;
  readonly registrarId: number;
  readonly registrarName: string;
  readonly roles: readonly PersonRole[];
  /** Whether somebody with this address works for a registrar: the password of that person must not be set. */
  readonly isForExistingPerson: boolean;
};

/** Undefined for a token that is unknown, was used or withdrawn, or is too old. */
export const findInvitation = (db: Sql, token: string, now: Date): Promise<OpenInvitation | undefined> =>
  db.maybe(sql<OpenInvitation>`
    select i.id, i.email, i.name, i.language, r.id as "registrarId", r.name as "registrarName", i.roles,
      exists (select from people p join memberships m on m.person_id = p.id where p.email_key = i.email) as "isForExistingPerson"
    from invitations i join registrars r on r.id = i.registrar_id
    where i.token_hash = ${tokenHash(token)} and i.accepted_at is null and i.withdrawn_at is null and i.expires_at > ${now}`);

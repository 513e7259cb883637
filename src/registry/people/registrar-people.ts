import type { Sql } from '../../platform/sql/executor.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import type { PersonLanguage, PersonRole } from './person.ts';
import { isLiveSession } from './person-sessions.ts';

/** A person of a registrar, as its administrators see it. What the person does for others is not theirs to see. */
export type RegistrarPerson = {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly PersonRole[];
  /** By the registry: for all registrars, so that no administrator of one can undo it. */
  readonly status: 'active' | 'disabled' | 'disabled by the registry';
  readonly hasSecondFactor: boolean;
  /** Of the sessions that act for this registrar, as far as they are kept. */
  readonly lastLogin: Date | null;
  readonly openSessions: number;
};

/** Far above the number of a registrar's people. */
const MAX_LISTED = 1_000;

export const listRegistrarPeople = (db: Sql, registrarId: number, now: Date): Promise<RegistrarPerson[]> =>
  db.rows(sql<RegistrarPerson>`${personColumns(registrarId, now)} order by p.name, p.id limit ${MAX_LISTED}`);

export const findRegistrarPerson = (
  db: Sql,
  registrarId: number,
  personId: number,
  now: Date,
): Promise<RegistrarPerson | undefined> =>
  db.maybe(sql<RegistrarPerson>`${personColumns(registrarId, now)} and p.id = ${personId}`);

const personColumns = (registrarId: number, now: Date): Fragment => sql`
  select p.id, p.email, p.name, m.roles,
    case when p.disabled_at is not null then 'disabled by the registry' when m.disabled_at is not null then 'disabled' else 'active' end as status,
    p.totp_secret is not null or p.identity is not null or exists (select from passkeys k where k.person_id = p.id) as "hasSecondFactor",
    (select max(s.created_at) from person_sessions s where s.person_id = p.id and s.registrar_id = m.registrar_id) as "lastLogin",
    (select count(*)::int from person_sessions s
      where s.person_id = p.id and s.registrar_id = m.registrar_id and ${isLiveSession(now)}) as "openSessions"
  from memberships m join people p on p.id = m.person_id
  where m.registrar_id = ${registrarId}`;

export type OpenInvitationOfRegistrar = {
  readonly email: string;
  readonly name: string;
  readonly language: PersonLanguage;
  readonly roles: readonly PersonRole[];
  readonly invitedBy: string;
  readonly expiresAt: Date;
};

export const listOpenInvitations = (
  db: Sql,
  registrarId: number,
  now: Date,
): Promise<OpenInvitationOfRegistrar[]> =>
  db.rows(sql<OpenInvitationOfRegistrar>`
    select email, name, language, roles, invited_by as "invitedBy", expires_at as "expiresAt" from invitations
    where registrar_id = ${registrarId} and accepted_at is null and withdrawn_at is null and expires_at > ${now}
    order by expires_at, id limit ${MAX_LISTED}`);

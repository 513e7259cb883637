import { writeMails } from '../../platform/mail/mail.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { newToken, tokenHash } from '../../platform/values/token.ts';
import type { Policy } from '../../policy/policy.ts';
import { invitationMail } from '../mails/invitation-mail.ts';
import { deadline } from '../mails/registrant-mails.ts';
import type { OperatorChange } from '../operator-change.ts';
import { emailKey, type PersonLanguage, type PersonRole } from './person.ts';

/** Long enough for a mail that is read the next working day. */
const INVITATION_HOURS = 48;
const HOUR_MS = 3_600_000;
const MAX_DAILY_INVITATIONS = 100;

export type NewInvitation = {
  readonly email: string;
  readonly name: string;
  readonly language: PersonLanguage;
  /** Code of the registrar. */
  readonly registrar: string;
  readonly roles: readonly PersonRole[];
};

export type InvitationOutcome =
  | { readonly expiresAt: Date }
  | 'unknown registrar'
  /** The person works for the registrar already. */
  | 'member'
  /** Only somebody who can log in could accept it. */
  | 'disabled'
  /** The registrar has invited so many within a day that abuse is more likely than colleagues. */
  | 'too many';

type Moment = {
  /** By the wall clock, as everything about logins. */
  readonly now: Date;
  readonly publicUrl: string;
  readonly policy: Policy;
};

/** Invites somebody to work for a registrar, by mail. An open invitation of the same two is replaced. */
export async function invitePerson(
  db: Sql,
  invitation: NewInvitation,
  { actor, at, reason, requestId }: OperatorChange,
  { now, publicUrl, policy }: Moment,
): Promise<InvitationOutcome> {
  const { name, language, registrar, roles } = invitation;
  // Mailboxes that differ by case only do not exist in practice.
  const email = emailKey(invitation.email);
  const found = await findInvited(db, email, registrar, now);
  if (!found) return 'unknown registrar';
  if (found.isMember) return 'member';
  if (found.isDisabled) return 'disabled';
  if (found.recentInvitations >= MAX_DAILY_INVITATIONS) return 'too many';
  const token = newToken();
  const expiresAt = new Date(now.getTime() + INVITATION_HOURS * HOUR_MS);
  const link = `${publicUrl}/console/invitation/${token}?lang=${language}`;
  const until = deadline(expiresAt, policy);
  const mail = invitationMail({ to: email, language, registrar: found.registrarName, link, until });
  const changed = part(
    'changed',
    [],
    sql`
    insert into invitations (token_hash, email, name, language, registrar_id, roles, invited_by, created_at, expires_at)
    values (${tokenHash(token)}, ${email}, ${name}, ${language}, ${found.registrarId}, ${[...roles]}::text[], ${actor}, ${now}, ${expiresAt})
    returning id, registrar_id`,
  );
  const replaced = part(
    'replaced',
    ['changed'],
    sql`
    update invitations i set withdrawn_at = ${now} from changed
    where i.registrar_id = changed.registrar_id and i.email = ${email} and i.id <> changed.id
      and i.accepted_at is null and i.withdrawn_at is null`,
  );
  // The registry's clock decides when a mail is sent.
  const statement = WithStatement.from(changed)
    .and(replaced)
    .and(writeMails([mail], at));
  await db.run(
    statement.end(
      ['changed'],
      sql`
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, request_id, after)
      select ${at}, 'invitation', id, ${email}, 'invite', registrar_id, ${actor}, ${reason ?? null}, ${requestId ?? null}, ${json({ name, registrar, roles: [...roles] })}
      from changed`,
    ),
  );
  return { expiresAt };
}

type Invited = {
  readonly registrarId: number;
  readonly registrarName: string;
  readonly isMember: boolean;
  readonly isDisabled: boolean;
  /** Of the last day. */
  readonly recentInvitations: number;
};

/** Somebody who works for nobody any more is disabled by that, and begins again with the invitation. */
const findInvited = (db: Sql, key: string, registrar: string, now: Date): Promise<Invited | undefined> =>
  db.maybe(sql<Invited>`
    select r.id as "registrarId", r.name as "registrarName",
      exists (select from memberships m where m.person_id = p.id and m.registrar_id = r.id) as "isMember",
      p.disabled_at is not null and exists (select from memberships m where m.person_id = p.id) as "isDisabled",
      (select count(*)::int from invitations i where i.registrar_id = r.id and i.created_at > ${now}::timestamptz - interval '1 day') as "recentInvitations"
    from registrars r left join people p on p.email_key = ${key}
    where r.code = ${registrar}`);

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

import { storeAnswer } from '../../operations/stored-answers.ts';
import { type OperatorContext, operatorOperation } from '../../operations/operator-operation.ts';
import { recordHistory, requireRows } from '../../operations/record-history.ts';
import { requireNone } from '../../operations/refusal.ts';
import { writeMails } from '../../platform/mail/enqueue-mails.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { newToken, tokenHash } from '../../platform/values/token.ts';
import { invitationMail } from '../mails/invitation-mail.ts';
import { deadline } from '../mails/registrant-mails.ts';
import { refusal, refuse } from '../operator-refusals.ts';
import { isWithinRegistrar } from '../registrars/own-registrar.ts';
import { requireRegistrar } from '../registrars/require-registrar.ts';
import { emailKey, type PersonLanguage, type PersonRole } from './person.ts';
import { parsePersonEmail } from './person-email.ts';
import { parsePersonName } from './person-name.ts';

/** Long enough for a mail that is read the next working day. */
const INVITATION_HOURS = 48;
const HOUR_MS = 3_600_000;
/** Abuse is more likely than so many new colleagues within a day. */
const MAX_DAILY_INVITATIONS = 100;

type NewInvitation = {
  readonly email: string;
  /** The address if left out; the person can change it. */
  readonly name?: string | undefined;
  readonly language: PersonLanguage;
  /** Code of the registrar. */
  readonly registrar: string;
  readonly roles: readonly PersonRole[];
  /** What the link in the mail begins with. */
  readonly publicUrl: string;
  /** By the wall clock, as everything about logins. */
  readonly wallTime: Date;
};

/** Invites somebody to work for a registrar, by mail. An open invitation of the same two is replaced. */
export const invitePerson = operatorOperation(
  {
    name: 'invite person',
    right: 'registrars',
    refusals: [
      'personEmailInvalid',
      'personNameInvalid',
      'registrarMissing',
      'membershipTaken',
      'personDisabled',
      'tooManyInvitations',
    ],
  },
  {
    load: (db, invitation: NewInvitation, context) => findInvited(db, invitation, context),

    decide(found, invitation, { policy }) {
      const { registrar, roles, language, wallTime, publicUrl } = invitation;
      // Mailboxes that differ by case only do not exist in practice.
      const email =
        parsePersonEmail(invitation.email, policy) ??
        refuse('personEmailInvalid', { at: ['email'], email: invitation.email });
      const name =
        parsePersonName(invitation.name ?? email) ?? refuse('personNameInvalid', { at: ['personName'] });
      const { id, registrarName, isMember, isDisabled, recentInvitations } = requireRegistrar(
        found,
        registrar,
      );
      requireNone([
        ...(isMember ? [refusal('membershipTaken', { at: ['email'], email, registrar })] : []),
        ...(isDisabled ? [refusal('personDisabled', { at: ['email'], email })] : []),
        ...(recentInvitations >= MAX_DAILY_INVITATIONS
          ? [refusal('tooManyInvitations', { at: ['email'], registrar })]
          : []),
      ]);
      const expiresAt = new Date(wallTime.getTime() + INVITATION_HOURS * HOUR_MS);
      const answer = { email, name, registrar, roles, language, expiresAt };
      return { answer, registrarId: id, registrarName, publicUrl, wallTime };
    },

    async persist(db, { answer, registrarId, registrarName, publicUrl, wallTime }, context) {
      const { email, name, registrar, roles, language, expiresAt } = answer;
      const { actor, now, policy } = context;
      const token = newToken();
      const link = `${publicUrl}/console/invitation/${token}?lang=${language}`;
      const until = deadline(expiresAt, policy);
      const mail = invitationMail({ to: email, language, registrar: registrarName, link, until });
      const changed = sql`
        insert into invitations (token_hash, email, name, language, registrar_id, roles, invited_by, created_at, expires_at)
        values (${tokenHash(token)}, ${email}, ${name}, ${language}, ${registrarId}, ${[...roles]}::text[], ${actor}, ${wallTime}, ${expiresAt})
        returning id, email as name, registrar_id`;
      const replaced = sql`
        update invitations i set withdrawn_at = ${wallTime} from changed
        where i.registrar_id = changed.registrar_id and i.email = ${email} and i.id <> changed.id
          and i.accepted_at is null and i.withdrawn_at is null`;
      const entry = {
        objectKind: 'invitation',
        operation: 'invite',
        registrarId,
        after: { name, registrar, roles },
      };
      await db.run(
        WithStatement.from(storeAnswer(answer, context))
          .and(part('changed', ['stored'], changed))
          .and(part('replaced', ['changed'], replaced))
          // The registry's clock decides when a mail is sent.
          .and(writeMails([mail], now))
          .and(recordHistory(entry, context))
          .end(['recorded'], requireRows('recorded')),
      );
    },
  },
);

type Invited = {
  readonly id: number;
  readonly registrarName: string;
  readonly isMember: boolean;
  readonly isDisabled: boolean;
  /** Of the last day. */
  readonly recentInvitations: number;
};

/** Somebody who works for nobody any more is disabled by that, and begins again with the invitation. */
const findInvited = (
  db: Sql,
  { email, registrar, wallTime }: NewInvitation,
  context: OperatorContext,
): Promise<Invited | undefined> =>
  db.maybe(sql<Invited>`
    select r.id, r.name as "registrarName",
      exists (select from memberships m where m.person_id = p.id and m.registrar_id = r.id) as "isMember",
      p.disabled_at is not null and exists (select from memberships m where m.person_id = p.id) as "isDisabled",
      (select count(*)::int from invitations i where i.registrar_id = r.id and i.created_at > ${wallTime}::timestamptz - interval '1 day') as "recentInvitations"
    from registrars r left join people p on p.email_key = ${emailKey(email)}
    where r.code = ${registrar} and ${isWithinRegistrar(sql`r.id`, context)}`);

import { enqueueMails } from '../../platform/mail/enqueue-mails.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { certificateRequestMail } from '../mails/certificate-request-mail.ts';
import type { PersonLanguage } from '../people/person.ts';

type Decided = {
  readonly username: string;
  readonly registrar: string;
  /** Null for a request that was signed. */
  readonly refusal: string | null;
  readonly to: string | null;
  /** Null for the address of a registrar, whose language is unknown. */
  readonly language: PersonLanguage | null;
};

/**
 * Mails the decision on a request to the person who made it, inside the transaction of the decision. If that person
 * does not administer the registrar any more, the mail goes to the registrar's address, if it has one.
 */
export async function mailDecision(tx: Sql, id: number, publicUrl: string, now: Date): Promise<void> {
  const { to, language, username, ...decided } = await tx.one(sql<Decided>`
    select u.username, r.name as registrar, q.reason as refusal, coalesce(asker.email, r.email) as to, asker.language
    from certificate_requests q join api_users u on u.id = q.user_id join registrars r on r.id = u.registrar_id
      left join lateral (
        select p.email, p.language from memberships m join people p on p.id = m.person_id
        where m.registrar_id = r.id and 'person:' || p.email = q.requested_by
          and 'admin' = any(m.roles) and m.disabled_at is null and p.disabled_at is null) as asker on true
    where q.id = ${id}`);
  if (to === null) return;
  const link = `${publicUrl}/console/access/users/${encodeURIComponent(username)}`;
  const mail = certificateRequestMail({ ...decided, to, username, link, language: language ?? undefined });
  await enqueueMails(tx, [mail], now);
}

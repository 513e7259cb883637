import { insertHistory } from '../../operations/record-history.ts';
import { writeMails } from '../../platform/mail/enqueue-mails.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { part, WithStatement } from '../../platform/sql/with.ts';
import { newToken, tokenHash } from '../../platform/values/token.ts';
import type { Policy } from '../../policy/policy.ts';
import { passwordRecoveredMail, recoveryMail } from '../mails/person-mails.ts';
import { deadline } from '../mails/registrant-mails.ts';
import { isUnknownKind } from './login-steps.ts';
import { emailKey, type PersonLanguage } from './person.ts';

const LINK_MINUTES = 30;
/** Of links that were sent to one person: nobody's mailbox is filled by others. */
const MAX_PER_HOUR = 3;

type Moment = {
  /** By the wall clock, as everything about logins. */
  readonly now: Date;
  /** By the registry's clock, which decides when mails are sent. */
  readonly registryTime: Date;
};
type Asked = Moment & { readonly email: string; readonly publicUrl: string; readonly policy: Policy };

/**
 * Mails a link to somebody who has an account that is not disabled. The answer to the person who asked must not depend on
 * this, nor wait for it.
 */
export async function requestRecovery(
  db: Sql,
  { email, publicUrl, policy, now, registryTime }: Asked,
): Promise<void> {
  const person = await db.maybe(sql<{ id: number; email: string; language: PersonLanguage }>`
    select id, email, language from people where email_key = ${emailKey(email)} and disabled_at is null`);
  if (!person) return;
  const { id, email: to, language } = person;
  const token = newToken();
  const expiresAt = new Date(now.getTime() + LINK_MINUTES * 60_000);
  const link = `${publicUrl}/console/login/recovery/${token}?lang=${language}`;
  const mail = recoveryMail({ to, language, link, until: deadline(expiresAt, policy) });
  const begun = sql`
    insert into login_steps (token_hash, kind, person_id, state, created_at, expires_at)
    select ${tokenHash(token)}, 'password recovery', ${id}, '{}', ${now}, ${expiresAt}
    where (select count(*) from login_steps l where l.person_id = ${id} and l.kind = 'password recovery'
      and l.created_at > ${now}::timestamptz - interval '1 hour') < ${MAX_PER_HOUR}
    returning person_id`;
  try {
    await db.run(
      WithStatement.from(part('changed', [], begun))
        .and(writeMails([mail], registryTime))
        .end(['changed'], sql`select from changed`),
    );
  } catch (error) {
    if (!isUnknownKind(error)) throw error;
  }
}

export type OpenRecovery = {
  readonly personId: number;
  readonly email: string;
  readonly language: PersonLanguage;
};

/** Undefined for a link that is unknown, was used, or is too old. */
export const findRecovery = (db: Sql, token: string, now: Date): Promise<OpenRecovery | undefined> =>
  db.maybe(sql<OpenRecovery>`
    select p.id as "personId", p.email, p.language from login_steps l join people p on p.id = l.person_id
    where l.kind = 'password recovery' and l.token_hash = ${tokenHash(token)} and l.expires_at > ${now} and p.disabled_at is null`);

type NewPassword = Moment & { readonly passwordHash: string; readonly requestId: string };

/** Sets the password once, ends every session and all other links, and tells the person. False if the link was used meanwhile. */
export async function recoverPassword(
  db: Sql,
  token: string,
  { personId, email, language }: OpenRecovery,
  { passwordHash, now, registryTime, requestId }: NewPassword,
): Promise<boolean> {
  const hash = tokenHash(token);
  const taken = sql`
    delete from login_steps where kind = 'password recovery' and token_hash = ${hash} and expires_at > ${now}
    returning person_id`;
  const changed = sql`
    update people p set password_hash = ${passwordHash}, updated_at = ${now} from taken
    where p.id = taken.person_id and p.id = ${personId} and p.disabled_at is null returning p.id`;
  const entry = {
    objectKind: 'person',
    objectId: personId,
    objectName: email,
    operation: 'recover password',
  };
  const by = { actor: `person:${email}`, now, requestId };
  const rows = await db.rows(
    WithStatement.from(part('taken', [], taken))
      .and(part('changed', ['taken'], changed))
      .and(
        part(
          'ended',
          ['changed'],
          sql`update person_sessions s set ended_at = ${now} from changed where s.person_id = changed.id and s.ended_at is null`,
        ),
      )
      .and(
        part(
          'forgotten',
          ['changed'],
          sql`delete from login_steps l using changed where l.person_id = changed.id and l.token_hash <> ${hash}`,
        ),
      )
      .and(writeMails([passwordRecoveredMail({ to: email, language })], registryTime))
      .end(['changed'], sql`${insertHistory(entry, by, sql`from changed`)} returning 1`),
  );
  return rows.length === 1;
}

import type { Certificate } from '../../platform/certificates/certificate.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import type { Change } from '../registrars/operator.ts';
import { refuse } from './refusals.ts';

/** While clients change over from one to the next a user has two. */
export const MAX_VALID = 2;

export type CertificateUser = { readonly id: number; readonly username: string; readonly registrar: string };

/** The user that a certificate is to be for, locked, so that two operators do not give him three. */
export async function lockUserForCertificate(
  db: Sql,
  username: string | undefined,
  at: Date,
): Promise<CertificateUser> {
  const user = await db.maybe(sql<CertificateUser & { valid: number }>`
    select u.id, u.username, r.name as registrar,
      (select count(*)::int from certificates c join authorities a on a.id = c.authority_id
        where c.user_id = u.id and c.revoked_at is null and c.valid_until > ${at} and a.retired_at is null) as valid
    from api_users u join registrars r on r.id = u.registrar_id
    where u.id = (select id from api_users where username = ${username ?? null} for update)`);
  if (!user) return refuse('certificateUserMissing', { username: username ?? '' });
  if (user.valid >= MAX_VALID) refuse('tooManyCertificates', { username: user.username, count: user.valid });
  return user;
}

/** Puts a certificate on record for its user; from then on it opens the door for him. */
export async function enterCertificate(
  db: Sql,
  user: CertificateUser,
  authorityId: number,
  certificate: Certificate,
  { actor, at, reason }: Change,
): Promise<void> {
  const { serial, fingerprint, pem, validFrom, validUntil } = certificate;
  const rows = await db.rows(sql`
    with entered as (
      insert into certificates (user_id, authority_id, serial, fingerprint, common_name, certificate, valid_from, valid_until, created_at)
      values (${user.id}, ${authorityId}, ${serial}, ${fingerprint}, ${certificate.commonName ?? ''}, ${pem}, ${validFrom}, ${validUntil}, ${at})
      on conflict do nothing
      returning user_id),
    changed as (update api_users set version = version where id in (select user_id from entered) returning id, username, registrar_id)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, after)
    select ${at}, 'user', id, username, 'enter certificate', registrar_id, ${actor}, ${reason ?? null}, ${json({ serial, fingerprint, validUntil: validUntil.toISOString() })}
    from changed
    returning 1`);
  if (rows.length === 0) refuse('certificateTaken');
}

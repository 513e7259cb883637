import type { OperatorContext } from '../../operations/operator-operation.ts';
import { insertHistory } from '../../operations/record-history.ts';
import type { Certificate } from '../../platform/certificates/certificate.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from './certificate-refusals.ts';

/** A certificate, and the authority that has signed it. It is accepted once it is entered. */
export type SignedCertificate = { readonly certificate: Certificate; readonly authorityId: number };

/** A user needs two while clients switch from one to the next. */
const MAX_VALID = 2;

type CertificateUser = { readonly id: number; readonly registrar: string };

/** The user that a certificate is for, if it may have another. */
export async function requireCertificateUser(
  db: Sql,
  username: string | undefined,
  now: Date,
): Promise<CertificateUser> {
  const name = username ?? '';
  const user = await db.maybe(sql<CertificateUser & { valid: number }>`
    select u.id, r.name as registrar,
      (select count(*)::int from certificates c join authorities a on a.id = c.authority_id
        where c.user_id = u.id and c.revoked_at is null and c.valid_until > ${now} and a.retired_at is null) as valid
    from api_users u join registrars r on r.id = u.registrar_id
    where u.username = ${name}`);
  if (!user) return refuse('certificateUserMissing', { username: name });
  if (user.valid >= MAX_VALID) refuse('tooManyCertificates', { username: name, count: user.valid });
  return user;
}

/** Records a certificate for its user. Inside one transaction. */
export async function enterCertificate(
  db: Sql,
  { certificate, authorityId }: SignedCertificate,
  context: OperatorContext,
): Promise<void> {
  const { serial, fingerprint, commonName, pem, validFrom, validUntil } = certificate;
  // Locked, so that concurrent changes cannot exceed MAX_VALID.
  await db.run(sql`select from api_users where username = ${commonName ?? ''} for update`);
  const { id } = await requireCertificateUser(db, commonName, context.now);
  const entry = {
    objectKind: 'user',
    objectName: sql`changed.username`,
    operation: 'enter certificate',
    registrarId: sql`changed.registrar_id`,
    after: { serial, fingerprint, validUntil: validUntil.toISOString() },
  };
  await db.run(sql`
    with entered as (
      insert into certificates (user_id, authority_id, serial, fingerprint, common_name, certificate, valid_from, valid_until, created_at)
      values (${id}, ${authorityId}, ${serial}, ${fingerprint}, ${commonName ?? ''}, ${pem}, ${validFrom}, ${validUntil}, ${context.now})
      returning user_id),
    changed as (
      update api_users set version = version where id in (select user_id from entered) returning id, username, registrar_id)
    ${insertHistory(entry, context, sql`from changed`)}`);
}

import type { Authority } from '../../platform/certificates/authority.ts';
import { type Certificate, isSignedBy, readCertificate } from '../../platform/certificates/certificate.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { json, sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { OperatorChange } from '../operator-change.ts';
import { trustedAuthorities } from './authorities.ts';
import { refuse } from './certificate-refusals.ts';

export type ListedCertificate = {
  readonly serial: string;
  readonly user: string;
  readonly registrar: string;
  readonly status: 'valid' | 'expired' | 'revoked' | 'untrusted';
  readonly validFrom: Date;
  readonly validUntil: Date;
  readonly revokedAt: Date | null;
  readonly reason: string | null;
  readonly fingerprint: string;
};

type CertificateFilter = { readonly user?: string; readonly registrar?: string };

/** Ordered by expiry, the earliest first. */
export function listCertificates(
  db: Sql,
  now: Date,
  { user, registrar }: CertificateFilter,
): Promise<ListedCertificate[]> {
  return db.rows(sql<ListedCertificate>`
    select c.serial, u.username as user, r.code as registrar,
      case when c.revoked_at is not null then 'revoked' when c.valid_until <= ${now} then 'expired'
        when a.retired_at is not null then 'untrusted' else 'valid' end as status,
      c.valid_from as "validFrom", c.valid_until as "validUntil", c.revoked_at as "revokedAt", c.revocation_reason as reason, c.fingerprint
    from certificates c
    join api_users u on u.id = c.user_id join registrars r on r.id = u.registrar_id join authorities a on a.id = c.authority_id
    where (${user ?? null}::text is null or u.username = ${user ?? null})
      and (${registrar ?? null}::text is null or r.code = ${registrar ?? null})
    order by c.valid_until, c.id`);
}

/** Of any registrar, or only of this one. */
export async function certificatePem(
  db: Sql,
  serial: string,
  registrarId: number | undefined = undefined,
): Promise<string | undefined> {
  const [row] = await db.rows(sql<{ certificate: string }>`
    select c.certificate from certificates c join api_users u on u.id = c.user_id
    where c.serial = ${serial} and (${registrarId ?? null}::bigint is null or u.registrar_id = ${registrarId ?? null})`);
  return row?.certificate;
}

/** A user needs two while clients switch from one to the next. */
const MAX_VALID = 2;

export type CertificateUser = { readonly id: number; readonly username: string; readonly registrar: string };

/** Locks the user a certificate is for, so that concurrent operators cannot exceed MAX_VALID. */
async function lockUserForCertificate(
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

/** Records a certificate for its user; it is accepted from then on. */
async function enterCertificate(
  db: Sql,
  user: CertificateUser,
  authorityId: number,
  certificate: Certificate,
  { actor, at, reason }: OperatorChange,
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

/** Backdates the start of validity, since clocks of clients may be slow. */
const BACKDATED_MS = 300_000;
const DAY_MS = 86_400_000;

export type Signing = {
  /** The certificate signing request in PEM, as made by the key's owner. */
  readonly request: string;
  readonly authority: Authority & { readonly id: number };
  /** The CRL distribution point. */
  readonly listUrl: string;
};

/** A certificate that is not recorded yet, and therefore not accepted. */
export type SignedCertificate = { readonly certificate: Certificate; readonly authorityId: number };

/** Signs a certificate request. Outside of transactions, which must not wait for a signature. */
export async function signCertificate(
  db: Sql,
  { request, authority, listUrl }: Signing,
  { certificates }: Policy,
  at: Date,
): Promise<SignedCertificate> {
  // Loaded where it is needed: the library takes longer to load than most commands run.
  const [{ signRequest }, { readRequest }] = await Promise.all([
    import('../../platform/certificates/authority.ts'),
    import('../../platform/certificates/certificate-request.ts'),
  ]);
  const csr = await readRequest(request);
  const user = await lockUserForCertificate(db, csr.commonName, at);
  const from = new Date(at.getTime() - BACKDATED_MS);
  const until = earlier(
    new Date(at.getTime() + certificates.validDays * DAY_MS),
    readCertificate(authority.certificate)?.validUntil,
  );
  if (until <= at) refuse('authorityExpired');
  const pem = await signRequest(authority, csr, {
    ...{ organisation: user.registrar, validity: { from, until }, listUrl },
  });
  const certificate = readCertificate(pem);
  if (!certificate) throw new Error('a certificate was signed that cannot be read');
  return { certificate, authorityId: authority.id };
}

/** Records a certificate that was signed. Inside one transaction. */
export async function enterSignedCertificate(
  tx: Sql,
  { certificate, authorityId }: SignedCertificate,
  change: OperatorChange,
): Promise<Certificate> {
  const user = await lockUserForCertificate(tx, certificate.commonName, change.at);
  await enterCertificate(tx, user, authorityId, certificate, change);
  return certificate;
}

/** A certificate must not outlive its authority. */
const earlier = (one: Date, other: Date | undefined): Date => (other && other < one ? other : one);

/**
 * Revokes a certificate, effective within seconds on every server, and marks its revocation list for signing. Returns
 * the username, or undefined if no valid certificate has this serial number.
 */
export async function revokeCertificate(
  db: Sql,
  serial: string,
  { actor, at, reason, requestId, registrarId }: OperatorChange,
): Promise<string | undefined> {
  const [revoked] = await db.rows(sql<{ username: string }>`
    with revoked as (
      update certificates set revoked_at = ${at}, revocation_reason = ${reason ?? 'not told'}
      where serial = ${serial} and revoked_at is null and (${registrarId ?? null}::bigint is null
        or user_id in (select id from api_users where registrar_id = ${registrarId ?? null}))
      returning user_id, authority_id, serial),
    listed as (update authorities set revocation_list_stale = true where id in (select authority_id from revoked)),
    changed as (update api_users set version = version where id in (select user_id from revoked) returning id, username, registrar_id)
    insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor, reason, request_id, after)
    select ${at}, 'user', id, username, 'revoke certificate', registrar_id, ${actor}, ${reason ?? null}, ${requestId ?? null}, jsonb_build_object('serial', ${serial}::text)
    from changed
    returning object_name as username`);
  return revoked?.username;
}

/** Records a certificate signed by an external authority, such as one that a registrar uses for EPP. */
export async function recordCertificate(db: Sql, text: string, change: OperatorChange): Promise<Certificate> {
  const certificate = readCertificate(text);
  if (!certificate) return refuse('notACertificate');
  if (certificate.validUntil <= change.at) refuse('certificateExpired');
  const authority = (await trustedAuthorities(db)).find((each) =>
    isSignedBy(certificate.pem, each.certificate),
  );
  if (!authority) return refuse('authorityNotTrusted');
  const user = await lockUserForCertificate(db, certificate.commonName, change.at);
  await enterCertificate(db, user, authority.id, certificate, change);
  return certificate;
}

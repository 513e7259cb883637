import type { OperatorContext } from '../../operations/operator-operation.ts';
import { readCertificate } from '../../platform/certificates/certificate.ts';
import type { CertificateRequest } from '../../platform/certificates/certificate-request.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type AuthorityKeys, findSigningAuthority, withKey } from './authority-keys.ts';
import { refuse } from './certificate-refusals.ts';
import { requireCertificateUser, type SignedCertificate } from './enter-certificate.ts';

// The libraries are loaded where they are needed: that takes longer than most commands run.

/** What signs, and where its revocation list is. */
export type Signer = {
  readonly keys: Pick<AuthorityKeys, 'find' | 'fileOf'>;
  /** The CRL distribution point of an authority. */
  readonly listUrl: (authorityId: number) => string;
};

/** What {@link signRequest} can be refused with. */
export const SIGNING_REFUSALS = [
  'ownAuthorityMissing',
  'authorityKeyMissing',
  'requestUnusable',
  'certificateUserMissing',
  'tooManyCertificates',
  'authorityExpired',
] as const;

/** Backdates the start of validity, since clocks of clients may be slow. */
const BACKDATED_MS = 300_000;
const DAY_MS = 86_400_000;

/** Signs a certificate request, in PEM. Outside of transactions, which must not wait for a signature. */
export async function signRequest(
  db: Sql,
  text: string,
  { keys, listUrl }: Signer,
  { now, policy }: OperatorContext,
): Promise<SignedCertificate> {
  const authority = await withKey((await findSigningAuthority(db)) ?? refuse('ownAuthorityMissing'), keys);
  const request = await requireRequest(text);
  const { registrar: organisation } = await requireCertificateUser(db, request.commonName, now);
  const from = new Date(now.getTime() - BACKDATED_MS);
  const until = earlier(
    new Date(now.getTime() + policy.certificates.validDays * DAY_MS),
    readCertificate(authority.certificate)?.validUntil,
  );
  if (until <= now) refuse('authorityExpired');
  const library = await import('../../platform/certificates/authority.ts');
  const pem = await library.signRequest(authority, request, {
    organisation,
    validity: { from, until },
    listUrl: listUrl(authority.id),
  });
  const certificate = readCertificate(pem);
  if (!certificate) throw new Error('a certificate was signed that cannot be read');
  return { certificate, authorityId: authority.id };
}

/** A certificate must not outlive its authority. */
const earlier = (one: Date, other: Date | undefined): Date => (other && other < one ? other : one);

export async function requireRequest(text: string): Promise<CertificateRequest> {
  const { BadRequest, readRequest } = await import('../../platform/certificates/certificate-request.ts');
  try {
    return await readRequest(text);
  } catch (error) {
    if (error instanceof BadRequest) refuse('requestUnusable', { at: ['request'], complaint: error.message });
    throw error;
  }
}

import { type Authority, signRequest } from '../../platform/certificates/authority.ts';
import { type Certificate, readCertificate } from '../../platform/certificates/certificate.ts';
import { readRequest } from '../../platform/certificates/certificate-request.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Change } from '../registrars/operator.ts';
import { enterCertificate, lockUserForCertificate } from './enter.ts';
import { refuse } from './refusals.ts';

/** Clocks of clients run behind. */
const EARLIER_MS = 300_000;
const DAY_MS = 86_400_000;

export type Signing = {
  /** In PEM, as whoever has the key made it. */
  readonly request: string;
  readonly authority: Authority & { readonly id: number };
  /** Where the list of revoked certificates can be had. */
  readonly listUrl: string;
};

/** Signs what a user asks for and puts it on record. Inside one transaction. */
export async function signCertificate(
  db: Sql,
  { request, authority, listUrl }: Signing,
  { certificates }: Policy,
  change: Change,
): Promise<Certificate> {
  const asked = await readRequest(request);
  const user = await lockUserForCertificate(db, asked.commonName, change.at);
  const from = new Date(change.at.getTime() - EARLIER_MS);
  const until = earlier(
    new Date(change.at.getTime() + certificates.validDays * DAY_MS),
    readCertificate(authority.certificate)?.validUntil,
  );
  if (until <= change.at) refuse('authorityExpired');
  const pem = await signRequest(authority, asked, {
    ...{ organisation: user.registrar, validity: { from, until }, listUrl },
  });
  const certificate = readCertificate(pem);
  if (!certificate) throw new Error('a certificate was signed that cannot be read');
  await enterCertificate(db, user, authority.id, certificate, change);
  return certificate;
}

/** No certificate outlives its authority. */
const earlier = (one: Date, other: Date | undefined): Date => (other && other < one ? other : one);

import { type Certificate, isSignedBy, readCertificate } from '../../platform/certificates/certificate.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import type { Change } from '../registrars/operator.ts';
import { trustedAuthorities } from './authorities.ts';
import { enterCertificate, lockUserForCertificate } from './enter.ts';
import { refuse } from './refusals.ts';

/** Puts a certificate on record that an authority signed elsewhere, such as one that a registrar has for EPP. */
export async function recordCertificate(db: Sql, text: string, change: Change): Promise<Certificate> {
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

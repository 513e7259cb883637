import { type Certificate, isSignedBy, readCertificate } from '../../platform/certificates/presented.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { Change } from '../registrars/operator.ts';
import { trustedAuthorities } from './authorities.ts';
import { CertificateRefused, enterCertificate, lockUserForCertificate } from './enter.ts';

/** Puts a certificate on record that an authority signed elsewhere, such as one that a registrar has for EPP. */
export async function recordCertificate(sql: Sql, text: string, change: Change): Promise<Certificate> {
  const certificate = readCertificate(text);
  if (!certificate) throw new CertificateRefused('This is no certificate in PEM.');
  if (certificate.validUntil <= change.at) throw new CertificateRefused('This certificate has expired.');
  const authority = (await trustedAuthorities(sql)).find((each) =>
    isSignedBy(certificate.pem, each.certificate),
  );
  if (!authority)
    throw new CertificateRefused(
      'No authority that we trust has signed this certificate; see cadastre ca trust.',
    );
  const user = await lockUserForCertificate(sql, certificate.commonName, change.at);
  await enterCertificate(sql, user, authority.id, certificate, change);
  return certificate;
}

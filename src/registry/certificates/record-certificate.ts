import { operatorTransaction } from '../../operations/operator-operation.ts';
import { type Certificate, isSignedBy } from '../../platform/certificates/certificate.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { trustedAuthorities } from './authorities.ts';
import { refuse } from './certificate-refusals.ts';
import { enterCertificate, type SignedCertificate } from './enter-certificate.ts';

type Recorded = { readonly certificate: Certificate };

/** Records a certificate signed by an external authority, such as one that a registrar uses for EPP. */
export const recordCertificate = operatorTransaction(
  {
    name: 'record certificate',
    right: 'registrars',
    refusals: [
      'certificateExpired',
      'authorityNotTrusted',
      'certificateTaken',
      'certificateUserMissing',
      'tooManyCertificates',
    ],
  },
  {
    async prepare({ certificate }: Recorded, { now }, db) {
      if (certificate.validUntil <= now) refuse('certificateExpired');
      const authority = (await trustedAuthorities(db)).find((each) =>
        isSignedBy(certificate.pem, each.certificate),
      );
      return authority ?? refuse('authorityNotTrusted');
    },

    async transact(db, { certificate }, context, { id: authorityId }): Promise<SignedCertificate> {
      const signed = { certificate, authorityId };
      if (await isRecorded(db, signed)) refuse('certificateTaken');
      await enterCertificate(db, signed, context);
      return signed;
    },
  },
);

const isRecorded = async (db: Sql, { certificate, authorityId }: SignedCertificate): Promise<boolean> =>
  (
    await db.rows(sql`
      select from certificates
      where fingerprint = ${certificate.fingerprint} or (authority_id = ${authorityId} and serial = ${certificate.serial})`)
  ).length > 0;

import { X509Certificate } from 'node:crypto';

/** The content of a certificate; not trusted until it is looked up. */
export type Certificate = {
  readonly pem: string;
  /** SHA-256 in lower-case hexadecimal. */
  readonly fingerprint: string;
  readonly serial: string;
  readonly commonName: string | undefined;
  readonly validFrom: Date;
  readonly validUntil: Date;
};

/** Reads a certificate in PEM or DER; undefined if it is not one. */
export function readCertificate(text: string | Buffer): Certificate | undefined {
  try {
    return describe(new X509Certificate(text));
  } catch {
    return undefined;
  }
}

export const fingerprintOf = ({ fingerprint256 }: X509Certificate): string =>
  fingerprint256.replaceAll(':', '').toLowerCase();

function describe(certificate: X509Certificate): Certificate {
  return {
    pem: certificate.toString(),
    fingerprint: fingerprintOf(certificate),
    serial: certificate.serialNumber.toLowerCase().replace(/^0+(?=.)/, ''),
    commonName: commonNameOf(certificate),
    validFrom: certificate.validFromDate,
    validUntil: certificate.validToDate,
  };
}

/** The only common name; a subject with several is ambiguous. */
function commonNameOf({ subject }: X509Certificate): string | undefined {
  const names = (subject ?? '').split('\n').filter((line) => line.startsWith('CN='));
  return names.length === 1 ? names[0]?.slice('CN='.length) : undefined;
}

/** Whether the certificate was signed by the authority's key. */
export function isSignedBy(pem: string, authorityPem: string): boolean {
  const [certificate, authority] = [new X509Certificate(pem), new X509Certificate(authorityPem)];
  return authority.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

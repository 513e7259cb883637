import { addressMatcher } from '../../platform/values/ip-addresses.ts';
import type { GoodCertificate, KnownUser } from './users.ts';

/** Who asks to come in, apart from the credentials. */
export type Visitor = {
  readonly address: string;
  /** Of the certificate whose key the visitor has proved to hold, where one was shown. */
  readonly fingerprint: string | undefined;
};

/** Says why a visitor may not come in as this user; undefined where nothing speaks against it. */
export type Admission = (visitor: Visitor, now: Date) => string | undefined;

/** Where a user must come from and what must be shown, whatever the password. */
export function admissionOf(
  { certificates, allowedFrom }: Pick<KnownUser, 'certificates' | 'allowedFrom'>,
  certificatesRequired: boolean,
): Admission {
  const isAllowed = allowedFrom.length === 0 ? () => true : addressMatcher(allowedFrom);
  return ({ address, fingerprint }, now) => {
    const wrong = certificatesRequired ? wrongWith(fingerprint, certificates, now) : undefined;
    return wrong ?? (isAllowed(address) ? undefined : 'the address is not on the list of the registrar');
  };
}

/** Whether the visitor has shown a certificate of this user that holds now. */
export const hasValidCertificate = (
  { certificates }: Pick<KnownUser, 'certificates'>,
  { fingerprint }: Visitor,
  now: Date,
): boolean => wrongWith(fingerprint, certificates, now) === undefined;

function wrongWith(
  fingerprint: string | undefined,
  certificates: readonly GoodCertificate[],
  now: Date,
): string | undefined {
  if (fingerprint === undefined) return 'no certificate was shown';
  const shown = certificates.find((each) => each.fingerprint === fingerprint);
  if (!shown) return 'the certificate is not one of this user, or was revoked';
  return shown.validFrom <= now && now < shown.validUntil ? undefined : 'the certificate is not valid now';
}

import { addressMatcher } from '../../platform/addresses.ts';
import type { GoodCertificate, KnownUser } from './users.ts';

/** Who knocks, apart from what he says of himself. */
export type Visitor = {
  readonly address: string;
  /** Of the certificate whose key he has proved to hold, where he showed one. */
  readonly fingerprint: string | undefined;
};

/** Says why a visitor may not come in as this user; undefined where he may. */
export type Admission = (visitor: Visitor, now: Date) => string | undefined;

/** Where a user must come from and what he must show, whatever password he has. */
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

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** A key and its certificate with intermediate ones, in PEM, and the authorities that clients are asked for. */
export type ServerIdentity = { readonly key: string; readonly cert: string; readonly ca?: string[] };

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;
const BOUNDARY = '-----';
export const EXPIRED = 'the certificate is expired';

/** Why an identity cannot be used; undefined if it can. Node itself accepts an empty certificate. */
export function faultOf(identity: ServerIdentity, now: Date): string | undefined {
  const blocks = identity.cert.match(BLOCK) ?? [];
  const rest = blocks.reduce((text, block) => text.replace(block, ''), identity.cert);
  if (blocks.length === 0 || rest.includes(BOUNDARY)) return 'the certificate file is empty or not whole';
  try {
    const [own] = blocks.map((block) => new X509Certificate(block));
    if (!own?.checkPrivateKey(createPrivateKey(identity.key)))
      return 'the key is not that of the certificate';
    if (own.validToDate <= now) return EXPIRED;
    if (own.validFromDate > now) return 'the certificate is not valid yet';
    createSecureContext(identity);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

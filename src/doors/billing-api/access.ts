import { createSecretKey, type KeyObject } from 'node:crypto';
import { type Initiator, isInitiator } from '../../billing/invoices/invoice.ts';
import type { Config } from '../../platform/config/config.ts';

export type BillingSecrets = Readonly<Record<Initiator, readonly string[]>>;

export const billingSecrets = (config: Config): BillingSecrets => ({
  registry: config.billingSecretRegistry,
  auction: config.billingSecretAuction,
  eeid: config.billingSecretEeid,
  business_registry: config.billingSecretBusinessRegistry,
});

type Jose = typeof import('jose');

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** The initiator whose secret signed a token; undefined for any other signature or an expired token. */
export function tokenReader(
  secrets: BillingSecrets,
): (authorization: string | undefined) => Promise<Initiator | undefined> {
  const keys = Object.fromEntries(
    Object.entries(secrets).map(([initiator, texts]) => [
      initiator,
      texts.map((text) => createSecretKey(Buffer.from(text))),
    ]),
  ) as Record<Initiator, KeyObject[]>;
  return async (authorization) => {
    const token = BEARER.exec(authorization ?? '')?.[1];
    if (!token) return undefined;
    // Imported lazily: most processes never see a token of a service.
    const jose = await import('jose');
    const claimed = claimOf(jose, token);
    if (!claimed) return undefined;
    for (const key of keys[claimed]) if (await isSigned(jose, token, key)) return claimed;
    return undefined;
  };
}

/** The initiator that the token claims; not verified yet. */
function claimOf({ decodeJwt }: Jose, token: string): Initiator | undefined {
  try {
    const { initiator } = decodeJwt(token);
    return isInitiator(initiator) ? initiator : undefined;
  } catch {
    return undefined;
  }
}

/** Uses the wall clock, not the sandbox clock. */
async function isSigned({ jwtVerify }: Jose, token: string, key: KeyObject): Promise<boolean> {
  try {
    await jwtVerify(token, key, { algorithms: ['HS256'] });
    return true;
  } catch {
    return false;
  }
}

import { createSecretKey, type KeyObject } from 'node:crypto';
import { decodeJwt, jwtVerify } from 'jose';
import { type Initiator, isInitiator } from '../../billing/invoices/invoice.ts';

export type BillingSecrets = Readonly<Record<Initiator, readonly string[]>>;

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
    const claimed = token && claimOf(token);
    if (!token || !claimed) return undefined;
    for (const key of keys[claimed]) if (await isSigned(token, key)) return claimed;
    return undefined;
  };
}

/** The initiator that the token claims; not verified yet. */
function claimOf(token: string): Initiator | undefined {
  try {
    const { initiator } = decodeJwt(token);
    return isInitiator(initiator) ? initiator : undefined;
  } catch {
    return undefined;
  }
}

/** Uses the wall clock, not the sandbox clock. */
async function isSigned(token: string, key: KeyObject): Promise<boolean> {
  try {
    await jwtVerify(token, key, { algorithms: ['HS256'] });
    return true;
  } catch {
    return false;
  }
}

import { SignJWT } from 'jose';
import { wallClock } from '../../platform/clock/clock.ts';
import { noAnswer } from './deliver.ts';
import type { Delivery } from './delivery-store.ts';

/** Those that are told; the registry itself is told in the same transaction. */
export const serviceNames = ['auction', 'eeid', 'business_registry'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** A service that issues invoices through us, and is told what becomes of them. */
export type Service = {
  /** The whole address; in the sandbox it is known only once the server listens. */
  readonly url: () => string | undefined;
  /** Those that the service shares with us, the newest first. */
  readonly secrets: readonly string[];
  /** The settings that name the two, for whoever has to set them. */
  readonly settings: { readonly url: string; readonly secret: string };
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const TOKEN_SECONDS = 300;

/** Puts messages to a service. What it fails with names no address, no secret and nothing that the service said. */
export function serviceSender({
  url,
  secrets,
  settings,
  timeoutMs = TIMEOUT_MS,
}: Service): (delivery: Delivery) => Promise<undefined> {
  const [secret] = secrets;
  return async ({ id, body }) => {
    const address = url();
    if (address === undefined) throw new Error(`${settings.url} is not set`);
    if (secret === undefined) throw new Error(`${settings.secret} is not set`);
    const response = await fetch(address, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${await tokenFor(secret)}`,
        'content-type': 'application/json',
        'idempotency-key': id,
      },
      body,
      // A token is for the address that was set, and for no other.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw noAnswer(error);
    });
    await response.body?.cancel().catch(() => {});
    if (!response.ok) throw new Error(`Answered ${response.status}`);
    return undefined;
  };
}

/** The services read it by the time of the day, also where the registry's clock was moved. */
function tokenFor(secret: string): Promise<string> {
  const seconds = Math.floor(wallClock.now().getTime() / 1000);
  return new SignJWT({ initiator: 'billing' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + TOKEN_SECONDS)
    .sign(new TextEncoder().encode(secret));
}

import { wallClock } from '../../platform/clock/clock.ts';
import { noAnswer } from '../../platform/no-answer.ts';
import { traceHeaders } from '../../platform/work-scope.ts';
import type { Delivery } from './document-deliveries.ts';

/** The services that are notified by message; the registry is notified within the same transaction. */
export const serviceNames = ['auction', 'eeid', 'business_registry'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** A service that issues invoices through us and is notified of their changes. */
export type Service = {
  /** The complete URL; in the sandbox it is known only once the server listens. */
  readonly url: () => string | undefined;
  /** Secrets shared with the service, newest first. */
  readonly secrets: readonly string[];
  /** Names of the two settings, for error messages. */
  readonly settings: { readonly url: string; readonly secret: string };
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
const TOKEN_SECONDS = 300;

/** Sends messages to a service. Its errors contain no URL, no secret and nothing of the service's answer. */
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
        ...traceHeaders(),
      },
      body,
      // The token must not be forwarded to any address but the configured one.
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

/** Services check it against real time, also where the registry's clock was moved. */
async function tokenFor(secret: string): Promise<string> {
  const { SignJWT } = await import('jose');
  const seconds = Math.floor(wallClock.now().getTime() / 1000);
  return new SignJWT({ initiator: 'billing' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + TOKEN_SECONDS)
    .sign(new TextEncoder().encode(secret));
}

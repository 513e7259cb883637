import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/**
 * A secret of an endpoint, as its owner knows it. It is derived from a secret of the registry and a stored salt, so that
 * reading the database is not enough to sign.
 */
export const webhookSecret = (registrySecret: string, salt: Uint8Array): string =>
  SECRET_PREFIX + createHmac('sha256', registrySecret).update(salt).digest('base64');

/** The headers of Standard Webhooks 1.0 (symmetric, v1); one signature per secret, so that a receiver can change its own. */
export function webhookHeaders(
  { id, body, at }: { readonly id: string; readonly body: string; readonly at: Date },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

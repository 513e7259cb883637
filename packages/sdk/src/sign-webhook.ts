import { toBase64 } from './base64.ts';
import type { EventData } from './generated/events.ts';
import { hmacOf } from './hmac.ts';
import { type EventType, requireSecret, signedContent } from './webhook-event.ts';

export type WebhookToSign<Type extends EventType> = {
  /** Of the endpoint, `whsec_…`. */
  readonly secret: string;
  readonly type: Type;
  readonly data: EventData[Type];
  /** Of the event; a random one if it is not given. */
  readonly id?: string | undefined;
  /** When it happened, and when it was signed; now. */
  readonly at?: Date | undefined;
};

/** What `fetch` and `verifyWebhook` take. */
export type SignedWebhook = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A webhook as the registry would send it, for tests of the program that receives it. */
export async function signWebhook<Type extends EventType>(
  webhook: WebhookToSign<Type>,
): Promise<SignedWebhook> {
  const { secret, type, data, id = `msg_${crypto.randomUUID()}`, at = new Date() } = webhook;
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const hmac = await hmacOf(requireSecret(secret));
  const signature = toBase64(await hmac.sign(signedContent(id, timestamp, body)));
  return {
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  };
}

/** `cadastre-sdk/webhooks`: verification by WebCrypto, for runtimes without the modules of Node. */
import { hmacOf } from './hmac.ts';
import { readSignedRequest, WebhookError, type WebhookEvent, type WebhookRequest } from './webhook-event.ts';

export { EVENT_TYPES, type EventData } from './generated/events.ts';
export {
  type EventOf,
  type EventType,
  isKnownEvent,
  type KnownEvent,
  type UnknownEvent,
  WebhookError,
  type WebhookEvent,
  type WebhookFailure,
  type WebhookRequest,
} from './webhook-event.ts';

/** Verifies a webhook by Standard Webhooks 1.0 (`v1`, HMAC-SHA256) and resolves to its event. Rejects with WebhookError. */
export async function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent> {
  const { keys, signatures, content, readEvent } = readSignedRequest(request);
  for (const hmac of await Promise.all(keys.map(hmacOf)))
    for (const signature of signatures) if (await hmac.verify(signature, content)) return readEvent();
  throw new WebhookError('no matching signature');
}

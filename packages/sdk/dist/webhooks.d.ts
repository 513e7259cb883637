import { type WebhookEvent, type WebhookRequest } from './webhook-event.ts';
export { EVENT_TYPES, type EventData } from './generated/events.ts';
export { type EventOf, type EventType, isKnownEvent, type KnownEvent, type UnknownEvent, WebhookError, type WebhookEvent, type WebhookFailure, type WebhookRequest, } from './webhook-event.ts';
/** Verifies a webhook by Standard Webhooks 1.0 (`v1`, HMAC-SHA256) and resolves to its event. Rejects with WebhookError. */
export declare function verifyWebhook(request: WebhookRequest): Promise<WebhookEvent>;

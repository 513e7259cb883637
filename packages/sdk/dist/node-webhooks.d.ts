import { type WebhookEvent, type WebhookRequest } from './webhook-event.ts';
/** Verifies a webhook by Standard Webhooks 1.0 (`v1`, HMAC-SHA256) and returns its event. Throws WebhookError. */
export declare function verifyWebhook(request: WebhookRequest): WebhookEvent;

/** `cadastre-sdk/webhooks`: verification by WebCrypto, for runtimes without the modules of Node. */
import { hmacOf } from './hmac.js';
import { readSignedRequest, WebhookError } from './webhook-event.js';
export { EVENT_TYPES } from './generated/events.js';
export { isKnownEvent, WebhookError, } from './webhook-event.js';
/** Verifies a webhook by Standard Webhooks 1.0 (`v1`, HMAC-SHA256) and resolves to its event. Rejects with WebhookError. */
export async function verifyWebhook(request) {
    const { keys, signatures, content, readEvent } = readSignedRequest(request);
    for (const hmac of await Promise.all(keys.map(hmacOf)))
        for (const signature of signatures)
            if (await hmac.verify(signature, content))
                return readEvent();
    throw new WebhookError('no matching signature');
}

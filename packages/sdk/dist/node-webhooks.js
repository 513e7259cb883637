import { createHmac, timingSafeEqual } from 'node:crypto';
import { readSignedRequest, WebhookError } from './webhook-event.js';
/** Verifies a webhook by Standard Webhooks 1.0 (`v1`, HMAC-SHA256) and returns its event. Throws WebhookError. */
export function verifyWebhook(request) {
    const { keys, signatures, content, readEvent } = readSignedRequest(request);
    const expected = keys.map((key) => createHmac('sha256', key).update(content).digest());
    const isSigned = expected.some((own) => signatures.some((given) => own.length === given.length && timingSafeEqual(own, given)));
    if (!isSigned)
        throw new WebhookError('no matching signature');
    return readEvent();
}

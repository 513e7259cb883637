import { toBase64 } from './base64.js';
import { hmacOf } from './hmac.js';
import { requireSecret, signedContent } from './webhook-event.js';
/** A webhook as the registry would send it, for tests of the program that receives it. */
export async function signWebhook(webhook) {
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

import { fromBase64 } from './base64.js';
import { EVENT_TYPES } from './generated/events.js';
export const isKnownEvent = (event) => EVENT_TYPES.includes(event.type);
/** The request is not from the registry, or was delayed or altered. Answer it with 400 and do nothing. */
export class WebhookError extends Error {
    name = 'WebhookError';
    reason;
    constructor(reason) {
        super(`webhook not accepted: ${reason}`);
        this.reason = reason;
    }
    toJSON() {
        return { ...this, message: this.message };
    }
}
const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const SECONDS = /^\d{1,12}$/;
export function readSignedRequest(request) {
    const { headers, body, secrets, toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = request;
    const keys = (typeof secrets === 'string' ? [secrets] : secrets).map(requireSecret);
    const [id, timestamp, signatures] = [
        requireHeader(headers, 'webhook-id'),
        requireHeader(headers, 'webhook-timestamp'),
        requireHeader(headers, 'webhook-signature'),
    ];
    if (!SECONDS.test(timestamp))
        throw new WebhookError('timestamp not a number');
    const age = now.getTime() / 1_000 - Number(timestamp);
    if (age > toleranceSeconds)
        throw new WebhookError('timestamp too old');
    if (age < -toleranceSeconds)
        throw new WebhookError('timestamp in the future');
    return {
        keys,
        content: signedContent(id, timestamp, body),
        signatures: signatures
            .split(' ')
            .filter((signature) => signature.startsWith('v1,'))
            .flatMap((signature) => fromBase64(signature.slice('v1,'.length)) ?? []),
        readEvent: () => readEvent(id, new Date(Number(timestamp) * 1_000), body),
    };
}
/** Id and time are signed with the body. */
export function signedContent(id, timestamp, body) {
    const encoder = new TextEncoder();
    const head = encoder.encode(`${id}.${timestamp}.`);
    const bytes = typeof body === 'string' ? encoder.encode(body) : body;
    const content = new Uint8Array(head.byteLength + bytes.byteLength);
    content.set(head);
    content.set(bytes, head.byteLength);
    return content;
}
export function requireSecret(secret) {
    const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
    // With an empty key anybody could sign.
    const key = BASE64.test(text) ? fromBase64(text) : undefined;
    if (!key)
        throw new TypeError('a webhook secret is whsec_ and Base64');
    return key;
}
function requireHeader(headers, name) {
    const value = typeof headers.get === 'function'
        ? headers.get(name)
        : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
    if (typeof value !== 'string' || value === '')
        throw new WebhookError('header missing');
    return value;
}
function readEvent(id, sentAt, body) {
    try {
        const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
        const { type, timestamp, data } = JSON.parse(text);
        if (typeof type === 'string' &&
            typeof timestamp === 'string' &&
            typeof data === 'object' &&
            data !== null)
            return { id, sentAt, type, timestamp, data };
    }
    catch {
        // Falls through to the same failure.
    }
    throw new WebhookError('body not an event');
}

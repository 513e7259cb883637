import { createHmac, timingSafeEqual } from 'node:crypto';
import { EVENT_TYPES, type EventData } from './generated/events.ts';

type Envelope = {
  /** The same at every delivery of this event: handle each once. */
  readonly id: string;
  /** When this attempt was signed. */
  readonly sentAt: Date;
  /** When it happened. */
  readonly timestamp: string;
};

export type EventType = keyof EventData;

/** An event of one type, or of one of several. */
export type EventOf<Type extends EventType> = {
  readonly [each in Type]: Envelope & { readonly type: each; readonly data: EventData[each] };
}[Type];

/** The events of the API document from which this version was made. */
export type KnownEvent = EventOf<EventType>;

declare const isOfLater: unique symbol;

/** An event of a newer registry. The brand keeps its type apart from the known ones, so that these stay a union. */
export type UnknownEvent = Envelope & {
  readonly type: `${string}.${string}` & { readonly [isOfLater]: true };
  readonly data: Readonly<Record<string, unknown>>;
};

/** What happened, when, and the object: a webhook by Standard Webhooks, told apart by its `type`. */
export type WebhookEvent = KnownEvent | UnknownEvent;

export const isKnownEvent = (event: WebhookEvent): event is KnownEvent =>
  (EVENT_TYPES as readonly string[]).includes(event.type);

export type WebhookFailure =
  | 'header missing'
  | 'timestamp not a number'
  | 'timestamp too old'
  | 'timestamp in the future'
  | 'no matching signature'
  | 'body not an event';

/** The request is not from the registry, or was delayed or altered. Answer it with 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly reason: WebhookFailure;

  constructor(reason: WebhookFailure) {
    super(`webhook not accepted: ${reason}`);
    this.reason = reason;
  }
}

type HeaderSource =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

export type WebhookRequest = {
  /** Of the endpoint, `whsec_…`; two while it is being replaced. */
  readonly secrets: string | readonly string[];
  readonly headers: HeaderSource;
  /** The very bytes that came: JSON that was parsed and written again has another signature. */
  readonly body: string | Uint8Array;
  /** By how much the clocks may differ; 300. */
  readonly toleranceSeconds?: number | undefined;
  /** For tests. */
  readonly now?: Date | undefined;
};

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const SECONDS = /^\d{1,12}$/;

/** Verifies a webhook by Standard Webhooks 1.0 (`v1`, HMAC-SHA256) and returns its event. Throws WebhookError. */
export function verifyWebhook(request: WebhookRequest): WebhookEvent {
  const { headers, body, secrets, toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = request;
  const keys = (typeof secrets === 'string' ? [secrets] : secrets).map(requireSecret);
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    requireHeader(headers, name),
  ) as [string, string, string];
  if (!SECONDS.test(timestamp)) throw new WebhookError('timestamp not a number');
  const age = now.getTime() / 1_000 - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookError('timestamp too old');
  if (age < -toleranceSeconds) throw new WebhookError('timestamp in the future');
  const expected = keys.map((key) =>
    createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest(),
  );
  const given = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'));
  if (
    !expected.some((own) => given.some((other) => own.length === other.length && timingSafeEqual(own, other)))
  )
    throw new WebhookError('no matching signature');
  return readEvent(id, new Date(Number(timestamp) * 1_000), body);
}

function requireSecret(secret: string): Buffer {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  // With an empty key anybody could sign.
  if (!BASE64.test(text)) throw new TypeError('a webhook secret is whsec_ and Base64');
  return Buffer.from(text, 'base64');
}

function requireHeader(headers: HeaderSource, name: string): string {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') throw new WebhookError('header missing');
  return value;
}

function readEvent(id: string, sentAt: Date, body: string | Uint8Array): WebhookEvent {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const { type, timestamp, data } = JSON.parse(text) as Record<string, unknown>;
    if (
      typeof type === 'string' &&
      typeof timestamp === 'string' &&
      typeof data === 'object' &&
      data !== null
    )
      return { id, sentAt, type, timestamp, data } as WebhookEvent;
  } catch {
    // Falls through to the same failure.
  }
  throw new WebhookError('body not an event');
}

import { fromBase64 } from './base64.ts';
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

  toJSON(): object {
    return { ...this, message: this.message };
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

/** A request whose form and age are right; whether its signature is, remains to be seen. */
export type SignedRequest = {
  readonly keys: readonly Uint8Array<ArrayBuffer>[];
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
  /** What the signatures are about. */
  readonly content: Uint8Array<ArrayBuffer>;
  /** Once a signature is right. */
  readEvent(): WebhookEvent;
};

export function readSignedRequest(request: WebhookRequest): SignedRequest {
  const { headers, body, secrets, toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = request;
  const keys = (typeof secrets === 'string' ? [secrets] : secrets).map(requireSecret);
  const [id, timestamp, signatures] = [
    requireHeader(headers, 'webhook-id'),
    requireHeader(headers, 'webhook-timestamp'),
    requireHeader(headers, 'webhook-signature'),
  ];
  if (!SECONDS.test(timestamp)) throw new WebhookError('timestamp not a number');
  const age = now.getTime() / 1_000 - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookError('timestamp too old');
  if (age < -toleranceSeconds) throw new WebhookError('timestamp in the future');
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
export function signedContent(
  id: string,
  timestamp: string,
  body: string | Uint8Array,
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const head = encoder.encode(`${id}.${timestamp}.`);
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const content = new Uint8Array(head.byteLength + bytes.byteLength);
  content.set(head);
  content.set(bytes, head.byteLength);
  return content;
}

export function requireSecret(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  // With an empty key anybody could sign.
  const key = BASE64.test(text) ? fromBase64(text) : undefined;
  if (!key) throw new TypeError('a webhook secret is whsec_ and Base64');
  return key;
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

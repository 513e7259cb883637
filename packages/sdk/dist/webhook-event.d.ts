import { type EventData } from './generated/events.ts';
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
    readonly [each in Type]: Envelope & {
        readonly type: each;
        readonly data: EventData[each];
    };
}[Type];
/** The events of the API document from which this version was made. */
export type KnownEvent = EventOf<EventType>;
declare const isOfLater: unique symbol;
/** An event of a newer registry. The brand keeps its type apart from the known ones, so that these stay a union. */
export type UnknownEvent = Envelope & {
    readonly type: `${string}.${string}` & {
        readonly [isOfLater]: true;
    };
    readonly data: Readonly<Record<string, unknown>>;
};
/** What happened, when, and the object: a webhook by Standard Webhooks, told apart by its `type`. */
export type WebhookEvent = KnownEvent | UnknownEvent;
export declare const isKnownEvent: (event: WebhookEvent) => event is KnownEvent;
export type WebhookFailure = 'header missing' | 'timestamp not a number' | 'timestamp too old' | 'timestamp in the future' | 'no matching signature' | 'body not an event';
/** The request is not from the registry, or was delayed or altered. Answer it with 400 and do nothing. */
export declare class WebhookError extends Error {
    readonly name = "WebhookError";
    readonly reason: WebhookFailure;
    constructor(reason: WebhookFailure);
    toJSON(): object;
}
type HeaderSource = Readonly<Record<string, string | readonly string[] | undefined>> | {
    get(name: string): string | null;
};
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
/** A request whose form and age are right; whether its signature is, remains to be seen. */
export type SignedRequest = {
    readonly keys: readonly Uint8Array<ArrayBuffer>[];
    readonly signatures: readonly Uint8Array<ArrayBuffer>[];
    /** What the signatures are about. */
    readonly content: Uint8Array<ArrayBuffer>;
    /** Once a signature is right. */
    readEvent(): WebhookEvent;
};
export declare function readSignedRequest(request: WebhookRequest): SignedRequest;
/** Id and time are signed with the body. */
export declare function signedContent(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer>;
export declare function requireSecret(secret: string): Uint8Array<ArrayBuffer>;
export {};

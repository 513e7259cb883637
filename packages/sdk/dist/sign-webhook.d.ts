import type { EventData } from './generated/events.ts';
import { type EventType } from './webhook-event.ts';
export type WebhookToSign<Type extends EventType> = {
    /** Of the endpoint, `whsec_…`. */
    readonly secret: string;
    readonly type: Type;
    readonly data: EventData[Type];
    /** Of the event; a random one if it is not given. */
    readonly id?: string | undefined;
    /** When it happened, and when it was signed; now. */
    readonly at?: Date | undefined;
};
/** What `fetch` and `verifyWebhook` take. */
export type SignedWebhook = {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
};
/** A webhook as the registry would send it, for tests of the program that receives it. */
export declare function signWebhook<Type extends EventType>(webhook: WebhookToSign<Type>): Promise<SignedWebhook>;

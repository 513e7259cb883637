import type { Headers } from './transport.ts';
/** The state of the rate limit, as the registry told it with an answer. */
export type RateLimit = {
    /** Requests in a window. */
    readonly limit: number;
    readonly windowSeconds: number;
    /** Requests that are left in this window. */
    readonly remaining: number;
    /** Seconds until the next window. */
    readonly resetSeconds: number;
};
export type Meta = {
    readonly status: number;
    /** For people; it says whether an action is pending. */
    readonly message: string;
    /** To be quoted in support requests. */
    readonly requestId: string;
    /** The idempotency key of a change, given or made. */
    readonly key: string | undefined;
    /** Whether the registry repeated the answer of an earlier request with this key. */
    readonly isReplay: boolean;
    readonly rateLimit: RateLimit | undefined;
    /** How often the request was sent. */
    readonly attempts: number;
};
export type Answer<T> = {
    readonly data: T;
    readonly meta: Meta;
};
/** The first limit of the headers; undefined if they tell of none. */
export declare function rateLimitIn(headers: Headers): RateLimit | undefined;
/** The position in the address of the next page. */
export declare function nextPosition(headers: Headers): string | undefined;

/** How often a call is repeated, and after which waits. docs/integrate/retrying.md is the specification. */
export type RetryPolicy = {
    /** Repetitions after the first attempt; 0 for none. */
    readonly retries: number;
    /** The first wait; each further one is twice as long. */
    readonly firstWaitMs: number;
    /** The longest wait. If the registry asks for a longer one, the call fails at once. */
    readonly maxWaitMs: number;
};
export declare const DEFAULT_RETRY_POLICY: RetryPolicy;
/** The wait before the next attempt; undefined if there is to be none. */
export declare function waitBefore(policy: RetryPolicy, { attempts, retryAfterSeconds, }: {
    readonly attempts: number;
    readonly retryAfterSeconds?: number | undefined;
}, random?: number): number | undefined;
/** Statuses after which the same request is sent again; 502 and 504 are of proxies that got no answer. */
export declare const isRepeatable: (status: number) => boolean;
export declare const isPermanent: (error: unknown) => boolean;

import { type RetryPolicy } from './retry-policy.ts';
import type { Sender } from './support-types.ts';
import type { Transport } from './transport.ts';
/** One attempt of a call, for logs and metrics. It contains no credentials, bodies or query. */
export type Attempt = {
    readonly method: string;
    readonly path: string;
    readonly attempt: number;
    readonly requestId: string;
    readonly key: string | undefined;
    readonly durationMs: number;
    /** Undefined if no answer came. */
    readonly status: number | undefined;
    readonly error: unknown;
};
export type SenderOptions = {
    readonly transport: Transport;
    readonly baseUrl: string;
    readonly authorization: string;
    readonly userAgent: string;
    readonly retry: RetryPolicy;
    readonly timeoutMs: number | undefined;
    readonly onAttempt: ((attempt: Attempt) => void) | undefined;
};
export declare function createSender(options: SenderOptions): Sender;

import { Groups } from './generated/groups.ts';
import { type RetryPolicy } from './retry-policy.ts';
import { type Attempt } from './sender.ts';
import type { Transport } from './transport.ts';
export type ClientOptions = {
    /** Where the registry is, without `/registry/v1`: `https://registry.example`. */
    readonly baseUrl: string;
    readonly username: string;
    readonly password: string;
    readonly retry?: Partial<RetryPolicy> | undefined;
    /** How long to wait for the beginning of an answer, and for each further part of it; 30 s, and 210 s in bulk calls. */
    readonly timeoutMs?: number | undefined;
    /** How many bytes of an answer are read, after decompression; 64 MiB. Beyond it the call fails. */
    readonly maxAnswerBytes?: number | undefined;
    /** Name and version of your program, for the log of the registry. */
    readonly userAgent?: string | undefined;
    /** The password is sent with every request: over plain http only to this machine, or where this is true. */
    readonly allowHttp?: boolean | undefined;
    /** Is told of every attempt. */
    readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
    /** Sends the requests instead of the transport of the runtime. */
    readonly transport?: Transport | undefined;
};
/** A client of the registrar API, whatever sends its requests: a member per group of calls. */
export declare class Client extends Groups {
    #private;
    constructor(options: ClientOptions, transport: Transport);
    /** Closes idle connections. A program ends without it, too. */
    close(): void;
}

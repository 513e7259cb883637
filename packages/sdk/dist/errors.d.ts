import type { RateLimit } from './answer.ts';
import { type CommonRefusalName, type FailureEntry, type RefusalName } from './generated/types.ts';
export type ErrorDetails = {
    readonly requestId: string;
    readonly key: string | undefined;
    readonly attempts: number;
    readonly status?: number | undefined;
    readonly rateLimit?: RateLimit | undefined;
    readonly retryAfterSeconds?: number | undefined;
};
/** What every failed call tells. */
export declare abstract class RegistryError extends Error {
    /** To be quoted in support requests. */
    readonly requestId: string;
    /** The idempotency key: a change whose outcome is unknown is repeated with it. */
    readonly key: string | undefined;
    readonly attempts: number;
    /** Undefined if no answer came. */
    readonly status: number | undefined;
    readonly rateLimit: RateLimit | undefined;
    readonly retryAfterSeconds: number | undefined;
    constructor(message: string, details: ErrorDetails, cause?: unknown);
    /** For logs: of an error alone JSON would leave out the message. */
    toJSON(): object;
}
/** One failure, with the name of its refusal. */
export type RefusalEntry = Omit<FailureEntry, 'reason'> & {
    readonly reason: RefusalName;
};
/** The registry refused the request and changed nothing. */
export declare class Refusal<Name extends string = RefusalName> extends RegistryError {
    /** Of the first failure. */
    readonly reason: Name;
    readonly code: number;
    readonly field: string | null;
    /** Every failure that was found. */
    readonly errors: readonly RefusalEntry[];
    constructor(message: string, errors: readonly [RefusalEntry, ...RefusalEntry[]], details: ErrorDetails);
    /** Whether any of the failures has this name. */
    has(name: RefusalName): boolean;
}
/** A refusal per name, so that a `switch` over `reason` can be exhaustive. */
export type RefusalOf<Name extends string> = Name extends string ? Refusal<Name> : never;
/** Whether a refusal is not specific to its call: syntax, rights, limits. */
export declare const isCommonRefusal: (refusal: Refusal<string>) => refusal is RefusalOf<CommonRefusalName>;
/** 401: user, password, certificate or address. Never repeated, since failed logins are limited. */
export declare class CredentialsError extends RegistryError {
}
/** 500, 503, or an answer of something in between, after the last attempt. The outcome of a change is unknown. */
export declare class UnavailableError extends RegistryError {
}
/** No answer came: the connection failed, broke or timed out. The outcome of a change is unknown. */
export declare class ConnectionError extends RegistryError {
}
/** An answer that is not of this API, such as a redirect or the page of a proxy. */
export declare class UnexpectedAnswerError extends RegistryError {
}

import { COMMON_REFUSALS, } from './generated/types.js';
/** What every failed call tells. */
export class RegistryError extends Error {
    /** To be quoted in support requests. */
    requestId;
    /** The idempotency key: a change whose outcome is unknown is repeated with it. */
    key;
    attempts;
    /** Undefined if no answer came. */
    status;
    rateLimit;
    retryAfterSeconds;
    constructor(message, details, cause) {
        super(message, cause === undefined ? undefined : { cause });
        this.name = new.target.name;
        this.requestId = details.requestId;
        this.key = details.key;
        this.attempts = details.attempts;
        this.status = details.status;
        this.rateLimit = details.rateLimit;
        this.retryAfterSeconds = details.retryAfterSeconds;
    }
    /** For logs: of an error alone JSON would leave out the message. */
    toJSON() {
        return { ...this, message: this.message };
    }
}
/** The registry refused the request and changed nothing. */
export class Refusal extends RegistryError {
    /** Of the first failure. */
    reason;
    code;
    field;
    /** Every failure that was found. */
    errors;
    constructor(message, errors, details) {
        super(message, details);
        const [first] = errors;
        // The names are those of the document of this release; a newer registry may have more.
        this.reason = first.reason;
        this.code = first.code;
        this.field = first.field;
        this.errors = errors;
    }
    /** Whether any of the failures has this name. */
    has(name) {
        return this.errors.some(({ reason }) => reason === name);
    }
}
const COMMON = COMMON_REFUSALS;
/** Whether a refusal is not specific to its call: syntax, rights, limits. */
export const isCommonRefusal = (refusal) => COMMON.includes(refusal.reason);
/** 401: user, password, certificate or address. Never repeated, since failed logins are limited. */
export class CredentialsError extends RegistryError {
}
/** 500, 503, or an answer of something in between, after the last attempt. The outcome of a change is unknown. */
export class UnavailableError extends RegistryError {
}
/** No answer came: the connection failed, broke or timed out. The outcome of a change is unknown. */
export class ConnectionError extends RegistryError {
}
/** An answer that is not of this API, such as a redirect or the page of a proxy. */
export class UnexpectedAnswerError extends RegistryError {
}

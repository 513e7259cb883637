import type { RateLimit } from './answer.ts';
import {
  COMMON_REFUSALS,
  type CommonRefusalName,
  type FailureEntry,
  type RefusalName,
} from './generated/types.ts';

export type ErrorDetails = {
  readonly requestId: string;
  readonly key: string | undefined;
  readonly attempts: number;
  readonly status?: number | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly retryAfterSeconds?: number | undefined;
};

/** What every failed call tells. */
export abstract class RegistryError extends Error {
  /** To be quoted in support requests. */
  readonly requestId: string;
  /** The idempotency key: a change whose outcome is unknown is repeated with it. */
  readonly key: string | undefined;
  readonly attempts: number;
  /** Undefined if no answer came. */
  readonly status: number | undefined;
  readonly rateLimit: RateLimit | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, details: ErrorDetails, cause?: unknown) {
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
  toJSON(): object {
    return { ...this, message: this.message };
  }
}

/** One failure, with the name of its refusal. */
export type RefusalEntry = Omit<FailureEntry, 'reason'> & { readonly reason: RefusalName };

/** The registry refused the request and changed nothing. */
export class Refusal<Name extends string = RefusalName> extends RegistryError {
  /** Of the first failure. */
  readonly reason: Name;
  readonly code: number;
  readonly field: string | null;
  /** Every failure that was found. */
  readonly errors: readonly RefusalEntry[];

  constructor(message: string, errors: readonly [RefusalEntry, ...RefusalEntry[]], details: ErrorDetails) {
    super(message, details);
    const [first] = errors;
    // The names are those of the document of this release; a newer registry may have more.
    this.reason = first.reason as string as Name;
    this.code = first.code;
    this.field = first.field;
    this.errors = errors;
  }

  /** Whether any of the failures has this name. */
  has(name: RefusalName): boolean {
    return this.errors.some(({ reason }) => reason === name);
  }
}

/** A refusal per name, so that a `switch` over `reason` can be exhaustive. */
export type RefusalOf<Name extends string> = Name extends string ? Refusal<Name> : never;

const COMMON: readonly string[] = COMMON_REFUSALS;

/** Whether a refusal is not specific to its call: syntax, rights, limits. */
export const isCommonRefusal = (refusal: Refusal<string>): refusal is RefusalOf<CommonRefusalName> =>
  COMMON.includes(refusal.reason);

/** 401: user, password, certificate or address. Never repeated, since failed logins are limited. */
export class CredentialsError extends RegistryError {}

/** 500, 503, or an answer of something in between, after the last attempt. The outcome of a change is unknown. */
export class UnavailableError extends RegistryError {}

/** No answer came: the connection failed, broke or timed out. The outcome of a change is unknown. */
export class ConnectionError extends RegistryError {}

/** An answer that is not of this API, such as a redirect or the page of a proxy. */
export class UnexpectedAnswerError extends RegistryError {}

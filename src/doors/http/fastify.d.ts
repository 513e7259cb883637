import type { Deadline } from '../../platform/concurrency/deadline.ts';
import type { Trace } from '../../platform/tracing/trace.ts';
import type { ApiUser, Right } from '../../registry/actor.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set by the request guard before anything else reads the request. */
    principal: ApiUser;
    /** For the log, where it is not the caller's: the registrar whose person is logged in to the console. */
    registrarCode: string | null;
    /** Set before any route runs. */
    trace: Trace;
    /** Ends the count of this request as in flight; null before its handler begins. */
    leaveFlight: (() => void) | null;
    /** The latest time of an answer; null for an invalid request. */
    deadline: Deadline | null;
  }
  interface FastifyContextConfig {
    /** The right that the route requires, where its API has rights. */
    right?: Right;
    /** The media type of a success that is not JSON. */
    documentType?: string;
    /** Whether it needs no credentials. */
    isOpen?: boolean;
    /** For calls that need longer than the default. */
    answerTimeoutMs?: number;
  }
  interface FastifyReply {
    /** The result code in the envelope, for log and metrics. */
    resultCode: number | null;
  }
}

import type { Deadline } from '../../platform/concurrency/deadline.ts';
import type { Trace } from '../../platform/tracing/trace.ts';
import type { ApiUser, Right } from '../../registry/actor.ts';
import type { KnownPaths } from './allowed-methods.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Each API adds its own when it is registered. */
    knownPaths: KnownPaths[];
  }
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
    /** The id of the call in the document of its API. */
    call?: string;
    /** Whether the route exists for callers with a profile alone. */
    needsProfile?: boolean;
    /** Whether its body is read over many turns of the event loop. */
    isLongList?: boolean;
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

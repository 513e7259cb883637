import type { Deadline } from '../../platform/concurrency/deadline.ts';
import type { Principal, Right } from '../../registry/actor.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking; set by the request guard before anything else looks at the request. */
    principal: Principal;
    /** Ends the count of this request among those in flight; null before its handler begins. */
    leaveFlight: (() => void) | null;
    /** Until when its client is there to hear the answer; null for what is no valid request. */
    deadline: Deadline | null;
  }
  interface FastifyContextConfig {
    /** What a principal needs for the route, where its door knows rights. */
    right?: Right;
    /** The media type of a success that is no JSON. */
    documentType?: string;
    /** Whether anybody may call it. */
    isOpen?: boolean;
    /** For calls that take longer than others by their nature. */
    answerTimeoutMs?: number;
  }
  interface FastifyReply {
    /** The result code in the envelope, for log and metrics. */
    resultCode: number | null;
  }
}

import type { Principal } from '../../registry/actor.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is asking; set by the ground rules before anything else looks at the request. */
    principal: Principal;
  }
  interface FastifyReply {
    /** The result code in the envelope, for log and metrics. */
    resultCode: number | null;
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify';

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members of a body; none if it is not an object. */
export function members({ body }: FastifyRequest): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

export const sendBadRequest = (reply: FastifyReply, error: string): FastifyReply =>
  reply.code(400).send({ error });

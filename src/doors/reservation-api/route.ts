import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Keyed } from '../../operations/idempotency.ts';
import type { ReservationParts } from '../../reservations/parts.ts';
import type { MissingName } from './access.ts';

/** Finds what only somebody with the right id can know of; a refusal otherwise, and a wait for who guesses. */
export type Find = <T>(
  request: FastifyRequest,
  look: () => Promise<T | undefined>,
  or: { readonly otherwise: MissingName },
) => Promise<T>;

export type Made = { readonly answer: object; readonly replayed: boolean };

/** What the routes of this API have in common. */
export type Ground = {
  readonly parts: ReservationParts;
  readonly find: Find;
  /** A call that makes something, once for its key. */
  readonly make: (
    call: (body: unknown, keyed: Keyed) => Promise<Made>,
  ) => (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
};

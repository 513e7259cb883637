import type { FastifyRequest } from 'fastify';

/** The caller of each request, as its guard determined it. */
export class Callers<Caller> {
  readonly #known = new WeakMap<FastifyRequest, Caller>();

  set(request: FastifyRequest, caller: Caller): void {
    this.#known.set(request, caller);
  }

  readonly of = (request: FastifyRequest): Caller => {
    const caller = this.#known.get(request);
    if (caller === undefined) throw new Error('a call without a caller');
    return caller;
  };
}

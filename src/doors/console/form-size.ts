import { errorCodes, type FastifyReply, type FastifyRequest } from 'fastify';
import { FairQueue, QueueFull } from '../../platform/concurrency/fair-queue.ts';
import { refuse } from '../../registry/registry-refusals.ts';
import { FormFields } from '../html/form-fields.ts';
import type { ConsoleChange } from './console-page.ts';

/** Of most forms. */
export const MAX_FORM_BYTES = 64 * 1024;
/** Ten thousand names of 30 characters, many of them with the reason why they are left out. */
export const MAX_BULK_FORM_BYTES = 768 * 1024;
/** Of a field that is not declared as a long one. */
const MAX_FIELD_LENGTH = 4_096;
const BYTES_PER_REQUEST = 16 * 1024;

/** As it is announced; as much as the route accepts where it is not. */
function announcedBytes({
  method,
  headers,
  routeOptions: { bodyLimit = MAX_FORM_BYTES },
}: FastifyRequest): number {
  if (method !== 'POST') return 0;
  return Math.min(Number(headers['content-length'] ?? bodyLimit), bodyLimit);
}

/** How many requests it counts as. */
export const costOfRequest = (request: FastifyRequest): number =>
  1 + Math.floor(announcedBytes(request) / BYTES_PER_REQUEST);

/** Before anything is made of the fields: a page shows them again, longer by what it escapes. */
export function requireShortFields({ body }: FastifyRequest, { longFields }: ConsoleChange): void {
  if (body instanceof FormFields && body.hasLonger(MAX_FIELD_LENGTH, longFields))
    throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
}

/** Large forms of one registrar are read and answered two at a time. */
export class LargeForms {
  readonly #turns = new FairQueue<number>({
    atOnce: Number.POSITIVE_INFINITY,
    perKey: 2,
    maxWaitingPerKey: 32,
    maxWaitMs: 20_000,
  });

  /** Resolves when it is the form's turn, which lasts until its answer was sent or its connection has ended. */
  async waitForTurn(request: FastifyRequest, reply: FastifyReply, registrarId: number): Promise<void> {
    if (announcedBytes(request) <= MAX_FORM_BYTES) return;
    const closed = new Promise<void>((resolve) => {
      // Its connection may have ended while the session was looked up: nothing tells so again.
      if (request.raw.socket.destroyed || reply.raw.destroyed) resolve();
      else reply.raw.once('close', resolve);
    });
    const turn = Promise.withResolvers<void>();
    const begin = () => {
      turn.resolve();
      return closed;
    };
    this.#turns.run(registrarId, begin).catch(turn.reject);
    try {
      await turn.promise;
    } catch (error) {
      if (error instanceof QueueFull) refuse('overload');
      throw error;
    }
  }
}

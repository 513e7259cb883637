import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export const misbehaviours = ['refuse', 'reset', 'redirect', 'hugeAnswer', 'slowAnswer'] as const;
export type Misbehaviour = (typeof misbehaviours)[number];

const EVENTS_PATH = '/events';
const ELSEWHERE_PATH = '/elsewhere';
/** Longer than the sender waits. */
const SLOW_ANSWER_MS = 20_000;
/** Far more than the buffers of a connection hold: a client that takes all of it has read it. */
const HUGE_ANSWER_BYTES = 32 * 2 ** 20;
const CHUNK = Buffer.alloc(64 * 2 ** 10, 'x');

/** An endpoint of a registrar that misbehaves at times. */
export class EventReceiver {
  /** Ids of the events that it has accepted: none other may count as delivered. */
  readonly accepted = new Set<string>();
  /** How many events met each misbehaviour. */
  readonly met: Record<Misbehaviour, number> = {
    refuse: 0,
    reset: 0,
    redirect: 0,
    hugeAnswer: 0,
    slowAnswer: 0,
  };
  /** Requests to where it redirected. */
  followed = 0;
  /** Huge answers that were read to their end. */
  swallowed = 0;
  readonly #server: Server;
  #mode: Misbehaviour = 'refuse';
  #times = 0;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      request.resume();
      await once(request, 'end').catch(() => undefined);
      if (request.url !== EVENTS_PATH) {
        this.followed += 1;
        response.writeHead(204).end();
        return;
      }
      this.#times -= 1;
      const isAccepted = this.#times < 0 || this.#mode === 'hugeAnswer';
      if (isAccepted) this.accepted.add(String(request.headers['webhook-id']));
      if (this.#times < 0) response.writeHead(204).end();
      else await this.#misbehave(response, request.socket);
    });
  }

  static async open(): Promise<EventReceiver> {
    const receiver = new EventReceiver();
    await once(receiver.#server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${EVENTS_PATH}`;
  }

  /** Misbehaves in this way for the next `times` events. */
  misbehave(mode: Misbehaviour, times: number): void {
    this.#mode = mode;
    this.#times = times;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((closed) => this.#server.close(() => closed()));
  }

  async #misbehave(response: ServerResponse, socket: Duplex): Promise<void> {
    this.met[this.#mode] += 1;
    if (this.#mode === 'refuse') response.writeHead(500).end();
    else if (this.#mode === 'reset') socket.destroy();
    else if (this.#mode === 'redirect') response.writeHead(307, { location: ELSEWHERE_PATH }).end();
    else if (this.#mode === 'slowAnswer')
      setTimeout(() => response.writeHead(204).end(), SLOW_ANSWER_MS).unref();
    else await this.#answerHugely(response);
  }

  async #answerHugely(response: ServerResponse): Promise<void> {
    response.writeHead(200);
    const isTaken = await pipeline(Readable.from(hugeAnswer()), response).then(
      () => true,
      () => false,
    );
    if (isTaken) this.swallowed += 1;
  }
}

function* hugeAnswer(): Generator<Buffer> {
  for (let sent = 0; sent < HUGE_ANSWER_BYTES; sent += CHUNK.length) yield CHUNK;
}

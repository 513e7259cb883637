import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Fault, Faults, FaultTarget } from '../faults.ts';

/** A document that a simulated service has received, and how often. */
export type ReceivedDocument = {
  /** Identifies the document at the service, which reports duplicates. */
  readonly key: string;
  readonly number: string;
  readonly buyer: string;
  readonly total: string;
  readonly document: string;
  readonly times: number;
};

const MAX_REMEMBERED = 10_000;

/** The documents that a simulated service has received. */
export class ReceivedDocuments {
  readonly #documents = new Map<string, ReceivedDocument>();

  /** False if it is a duplicate. */
  take(document: Omit<ReceivedDocument, 'times'>): boolean {
    const known = this.#documents.get(document.key);
    this.#documents.set(document.key, { ...document, times: (known?.times ?? 0) + 1 });
    const [oldest] = this.#documents.keys();
    if (this.#documents.size > MAX_REMEMBERED && oldest !== undefined) this.#documents.delete(oldest);
    return known === undefined;
  }

  /** Newest first. */
  list(): ReceivedDocument[] {
    return [...this.#documents.values()].reverse();
  }

  clear(): void {
    this.#documents.clear();
  }
}

const SLOW_MS = 5_000;
const BODY_LIMIT = 32 * 1024 * 1024;

/** How a service handles the text that it was sent, in its own format. */
export type DocumentReceiver = {
  /** Refuses half of the content if the fault requires it. */
  take(text: string, fault: Fault | undefined): Promise<Answer>;
  /** Its answer to an internal error. */
  broken(): Promise<Answer>;
};
export type Answer = { readonly status: number; readonly type: string; readonly text: string };

const NONSENSE: Answer = {
  status: 200,
  type: 'text/html',
  text: '<html><body>We are renovating. <p>Please come back <b>later</body></html>',
};

type DocumentEndpoint = {
  readonly path: string;
  readonly type: string;
  readonly target: FaultTarget;
  readonly faults: Faults;
};

/** The endpoint at which a service receives documents, with configurable faults. */
export function documentRoute(
  app: FastifyInstance,
  { path, type, target, faults }: DocumentEndpoint,
  { take, broken }: DocumentReceiver,
): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, text, parsed) =>
    parsed(null, String(text)),
  );
  app.post(path, { bodyLimit: BODY_LIMIT, config: { bodyType: type } }, async (request, reply) => {
    const fault = faults.next(target);
    if (fault === 'down') return cutOff(request, reply);
    if (fault === 'slow') await sleep(SLOW_MS);
    if (fault === 'error') return send(reply, await broken());
    if (fault === 'nonsense') return send(reply, NONSENSE);
    const answer = await take(typeof request.body === 'string' ? request.body : '', fault);
    return fault === 'lost' ? cutOff(request, reply) : send(reply, answer);
  });
}

const send = (reply: FastifyReply, { status, type, text }: Answer): FastifyReply =>
  reply.code(status).type(type).send(text);

function cutOff(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.hijack();
  request.raw.socket.destroy();
  return reply;
}

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type DeliveredMessage = { readonly service: string; readonly id: string; readonly body: string };

const EVENTS_PATH = '/events';

/** The services that issue invoices. They outlive every process of the registry, and record the messages that they get. */
export class Services {
  readonly delivered: DeliveredMessage[] = [];
  /** Ids of the events that came to the endpoint of a registrar. */
  readonly events = new Set<string>();
  readonly #server: Server;
  #toFail = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url === EVENTS_PATH) {
          this.events.add(String(request.headers['webhook-id']));
          response.writeHead(204).end();
          return;
        }
        const id = String(request.headers['idempotency-key']);
        const service = (request.url ?? '').split('/')[1] ?? '';
        this.#toFail -= 1;
        // Every third failure is a lost answer: the message was received.
        if (this.#toFail < 0 || this.#toFail % 3 === 0)
          this.delivered.push({ service, id, body: Buffer.concat(chunks).toString() });
        if (this.#toFail < 0) response.writeHead(200).end();
        else if (this.#toFail % 2 === 0) response.writeHead(500).end();
        else request.socket.destroy();
      });
    });
  }

  static async open(): Promise<Services> {
    const services = new Services();
    services.#server.listen(0, '127.0.0.1');
    await once(services.#server, 'listening');
    return services;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Where events of a registrar are received; it never fails. */
  get eventsUrl(): string {
    return this.url + EVENTS_PATH;
  }

  /** Fails the next messages. */
  fail(times: number): void {
    this.#toFail = times;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((closed) => this.#server.close(() => closed()));
  }
}

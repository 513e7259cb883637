import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Identity } from '../../test/support/certificates.ts';

/** Of the endpoints of a registrar the first never answers, and the second refuses everything. */
const [HANGS, REFUSES] = ['1', '2'];
export const FAILING_PER_REGISTRAR = 2;

/** All endpoints on one port, told apart by their paths: `/registrar/position`. */
export class Receivers {
  readonly origin: string;
  /** When each event came, by endpoint and name of the changed object; several times where it was repeated. */
  readonly receipts = new Map<string, number[]>();
  readonly #close: () => void;

  private constructor(origin: string, close: () => void) {
    this.origin = origin;
    this.#close = close;
  }

  static async start(identity?: Identity): Promise<Receivers> {
    let receivers: Receivers | undefined;
    const listener: RequestListener = async (request, response) => {
      const body = await text(request);
      if (receivers) receivers.#receive(request.url ?? '', body, response);
    };
    const server = identity ? createSecureServer(identity, listener) : createServer(listener);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    receivers = new Receivers(`${identity ? 'https' : 'http'}://127.0.0.1:${port}`, () => {
      server.close();
      server.closeAllConnections();
    });
    return receivers;
  }

  #receive(path: string, body: string, response: ServerResponse): void {
    const position = path.split('/').at(-1);
    if (position === HANGS) return;
    if (position === REFUSES) return void response.writeHead(500).end();
    const { data } = JSON.parse(body) as { data: { name: string } };
    const times = this.receipts.get(`${path} ${data.name}`);
    if (times) times.push(performance.now());
    else this.receipts.set(`${path} ${data.name}`, [performance.now()]);
    response.writeHead(204).end();
  }

  close(): void {
    this.#close();
  }
}

import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { BACKLOG } from '../../platform/backlog.ts';

/**
 * Another address of an HTTP server that is already listening. Connections are handed to that server, so that its
 * limits and hooks apply; only draining them at shutdown is done here.
 */
export class SecondAddress {
  readonly #listener: Server;

  constructor(server: HttpServer) {
    this.#listener = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      server.emit('connection', socket),
    );
  }

  listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#listener.once('error', reject);
      this.#listener.listen({ host, port, backlog: BACKLOG }, () => {
        this.#listener.off('error', reject);
        resolve();
      });
    });
  }

  /** Stops accepting connections at once; resolves when the open ones have ended. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#listener.close(() => resolve());
    });
  }
}

import type { Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';

/**
 * Another address at which an HTTP server that listens already takes connections. They are handed to that server, so
 * that its limits and hooks hold for them as for its own; only the waiting for them at the end is ours.
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
      this.#listener.listen({ host, port }, () => {
        this.#listener.off('error', reject);
        resolve();
      });
    });
  }

  /** Takes no more connections at once; resolves when those that are open have ended. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#listener.close(() => resolve());
    });
  }
}

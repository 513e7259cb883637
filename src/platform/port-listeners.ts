import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';

/** Connections that wait to be accepted. Those beyond would be dropped, and tried again by their clients after a second. */
export const BACKLOG = 4_096;
/**
 * In each turn of the event loop a listener accepts one connection, so that in long turns new connections of registrars
 * would wait for seconds behind those of strangers. Of several listeners of a port each accepts one. Linux distributes
 * connections among them.
 */
export const LISTENERS_OF_PORT = process.platform === 'linux' ? 16 : 1;

type Options = {
  readonly host: string;
  readonly port: number;
  readonly reusePort: boolean;
  readonly backlog: number;
};

export type ListenAddress = {
  readonly host: string;
  readonly port: number;
  /** Whether other processes listen on this port, too. */
  readonly isShared?: boolean;
};

/**
 * What a server listens with: itself, and others that hand their connections to it, so that its limits and events apply
 * to all of them.
 */
export class Listeners {
  readonly #server: Server;
  readonly #others: Server[] = [];

  constructor(server: Server) {
    this.#server = server;
  }

  /** Returns the port. Where nobody may share it, it must be free. */
  async listen(
    { host, port, isShared = false }: ListenAddress,
    listen: (options: Options) => Promise<unknown> = (options) => listening(this.#server, options),
  ): Promise<number> {
    if (port !== 0 && !isShared) await requireUnused(port, host);
    const reusePort = isShared || LISTENERS_OF_PORT > 1;
    await listen({ host, port, reusePort, backlog: BACKLOG });
    const bound = (this.#server.address() as AddressInfo).port;
    while (this.#others.length < LISTENERS_OF_PORT - 1) await this.add({ host, port: bound, reusePort });
    return bound;
  }

  /** On another address, too. */
  async add(address: Pick<ListenOptions, 'host' | 'port' | 'reusePort'>): Promise<void> {
    const listener = createServer((socket) => this.#server.emit('connection', socket));
    Object.assign(listener, optionsOf(this.#server));
    await listening(listener, { ...address, backlog: BACKLOG });
    this.#others.push(listener);
  }

  /** The others stop to accept connections at once; resolves when those that they have accepted are closed. */
  async close(): Promise<void> {
    await Promise.all(
      this.#others.map(
        (listener) =>
          new Promise<void>((resolve) => {
            listener.close(() => resolve());
          }),
      ),
    );
  }
}

async function listening(server: Server, options: ListenOptions): Promise<void> {
  server.listen(options);
  await once(server, 'listening');
}

/** Servers that share a port share it with any other program of the same user that does so too. */
export async function requireUnused(port: number, host: string): Promise<void> {
  const probe = createServer();
  await listening(probe, { port, host });
  probe.close();
  await once(probe, 'close');
}

/** Node keeps them at the server, and gives them to the sockets of the connections that it accepts. */
function optionsOf(server: Server): object {
  const { allowHalfOpen, pauseOnConnect, noDelay, keepAlive, keepAliveInitialDelay, highWaterMark } =
    server as Server & Readonly<Record<string, unknown>>;
  return { allowHalfOpen, pauseOnConnect, noDelay, keepAlive, keepAliveInitialDelay, highWaterMark };
}

import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import type { EmbeddedAddress } from '../../src/platform/database/embedded.ts';

const BACKEND_KEY = 0x4b;
/** How a connection ends: in order, or by a reset that throws away what was under way. */
export type Cut = 'close' | 'reset';

/** One connection; `held` is what was sent to the server while nothing was passed on, undefined when all is. */
type Line = {
  pid: number | undefined;
  held: Buffer[] | undefined;
  readonly passOn: () => void;
};

/** A TCP line to the server's socket that can be cut without a word, one connection or all of them. */
export class DatabaseProxy {
  readonly #server: net.Server;
  readonly #open = new Map<net.Socket, Line>();
  #isPaused = false;
  port = 0;

  private constructor({ host, port }: EmbeddedAddress) {
    const socket = path.join(host, `.s.PGSQL.${port}`);
    this.#server = net.createServer((client) => this.#join(client, net.connect(socket)));
  }

  static async open(server: EmbeddedAddress): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(server);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    proxy.port = (proxy.#server.address() as net.AddressInfo).port;
    return proxy;
  }

  cut(how: Cut, pid?: number): void {
    for (const [client, { pid: behind }] of this.#open) {
      if (pid !== undefined && pid !== behind) continue;
      if (how === 'close') client.destroy();
      else client.resetAndDestroy();
    }
  }

  /** Cuts some of the connections, whoever has them, and tells how many. */
  cutSome(how: Cut, isMeant: () => boolean): number {
    const meant = [...this.#open.values()].flatMap(({ pid }) =>
      pid !== undefined && isMeant() ? [pid] : [],
    );
    for (const pid of meant) this.cut(how, pid);
    return meant.length;
  }

  /** Passes nothing on any more, as a proxy whose server does not run: one connection, or all and those to come. */
  pause(pid?: number): void {
    this.#isPaused ||= pid === undefined;
    for (const line of this.#open.values()) if (pid === undefined || pid === line.pid) line.held ??= [];
  }

  /** Passes on all that came meanwhile, also of clients that have left. */
  resume(): void {
    this.#isPaused = false;
    for (const line of this.#open.values()) line.passOn();
  }

  /** As a server that is not there: what was open is cut, and what comes finds nobody. */
  refuse(): void {
    this.#server.close();
    this.cut('close');
  }

  async accept(): Promise<void> {
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    this.resume();
    this.cut('close');
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: net.Socket, backend: net.Socket): void {
    let hasLeft = false;
    const leave = () => {
      this.#open.delete(client);
      backend.end();
    };
    const line: Line = {
      pid: undefined,
      held: this.#isPaused ? [] : undefined,
      passOn: () => {
        const { held = [] } = line;
        line.held = undefined;
        for (const chunk of held) backend.write(chunk);
        if (hasLeft) leave();
      },
    };
    this.#open.set(client, line);
    for (const end of [client, backend]) end.on('error', () => {});
    client.on('data', (chunk) => {
      if (line.held) line.held.push(chunk);
      else backend.write(chunk);
    });
    client.on('close', () => {
      hasLeft = true;
      if (!line.held) leave();
    });
    backend.on('close', () => client.destroy());
    let greeting = Buffer.alloc(0);
    backend.on('data', (chunk: Buffer) => {
      client.write(chunk);
      if (line.pid !== undefined) return;
      greeting = Buffer.concat([greeting, chunk]);
      line.pid = processIn(greeting);
    });
  }
}

/** The number of the process behind a connection, as the server tells it at the beginning. */
function processIn(bytes: Buffer): number | undefined {
  for (let at = 0; at + 9 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1))
    if (bytes[at] === BACKEND_KEY) return bytes.readInt32BE(at + 5);
  return undefined;
}

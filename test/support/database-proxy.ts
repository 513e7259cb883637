import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import type { EmbeddedAddress } from '../../src/embedded-postgres/embedded-postgres.ts';
import { freePort } from './free-port.ts';

const BACKEND_KEY = 0x4b;
/** How a connection ends: in order, by a reset that throws away what was under way, or in the middle of the next answer. */
export type Cut = 'close' | 'reset' | 'truncate';
type Socket = Pick<EmbeddedAddress, 'host' | 'port'>;

/** One connection; `held` is what was sent to the server while nothing was passed on, undefined when all is. */
type Line = {
  pid: number | undefined;
  held: Buffer[] | undefined;
  /** Of what the server says next only the first half arrives. */
  isTruncated: boolean;
  readonly passOn: () => void;
};

/** A TCP line to the server's socket that can be cut without a word, one connection or all of them. */
export class DatabaseProxy {
  readonly #server: net.Server;
  readonly #open = new Map<net.Socket, Line>();
  #target: string;
  #isPaused = false;
  #answerDelayMs = 0;
  port = 0;

  private constructor(target: Socket) {
    this.#target = socketOf(target);
    this.#server = net.createServer((client) => this.#join(client, net.connect(this.#target)));
  }

  static async open(server: Socket): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(server);
    proxy.port = await freePort();
    await proxy.accept();
    return proxy;
  }

  cut(how: Cut, pid?: number): void {
    for (const [client, line] of this.#open) {
      if (pid !== undefined && pid !== line.pid) continue;
      if (how === 'close') client.destroy();
      else if (how === 'reset') client.resetAndDestroy();
      else line.isTruncated = true;
    }
  }

  /** Cuts some of the connections and returns how many. */
  cutSome(how: Cut, isMeant: () => boolean): number {
    const meant = this.#some(isMeant);
    for (const { pid } of meant) this.cut(how, pid);
    return meant.length;
  }

  /** Passes nothing on any more, as a proxy whose server does not run: one connection, or all and those to come. */
  pause(pid?: number): void {
    this.#isPaused ||= pid === undefined;
    for (const line of this.#open.values()) if (pid === undefined || pid === line.pid) line.held ??= [];
  }

  /** The same for connections to come alone. */
  pauseNew(): void {
    this.#isPaused = true;
  }

  /** From now on all that the server says arrives so much later. */
  delayAnswers(milliseconds: number): void {
    this.#answerDelayMs = milliseconds;
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

  /** Holds back what some connections carry for a time, and tells how many they are. */
  stallSome(isMeant: () => boolean, milliseconds: number): number {
    const meant = this.#some(isMeant);
    for (const line of meant) {
      line.held ??= [];
      setTimeout(line.passOn, milliseconds);
    }
    return meant.length;
  }

  /** From now on the same address leads to another server. Connections to the former one are cut, or left as they are. */
  switchTo(server: Socket, cutsFormer = true): void {
    this.#target = socketOf(server);
    if (cutsFormer) this.cut('reset');
  }

  async close(): Promise<void> {
    this.resume();
    this.cut('close');
    this.#server.close();
    await once(this.#server, 'close');
  }

  #some(isMeant: () => boolean): Line[] {
    return [...this.#open.values()].filter(({ pid }) => pid !== undefined && isMeant());
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
      isTruncated: false,
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
      if (line.isTruncated) client.end(chunk.subarray(0, chunk.length / 2), () => client.destroy());
      else if (this.#answerDelayMs > 0) setTimeout(() => client.write(chunk), this.#answerDelayMs);
      else client.write(chunk);
      if (line.pid !== undefined) return;
      greeting = Buffer.concat([greeting, chunk]);
      line.pid = processIn(greeting);
    });
  }
}

const socketOf = ({ host, port }: Socket): string => path.join(host, `.s.PGSQL.${port}`);

/** The number of the process behind a connection, as the server tells it at the beginning. */
function processIn(bytes: Buffer): number | undefined {
  for (let at = 0; at + 9 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1))
    if (bytes[at] === BACKEND_KEY) return bytes.readInt32BE(at + 5);
  return undefined;
}

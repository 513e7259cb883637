import { createServer, type Socket } from 'node:net';
import { ConnectionLimits } from '../../platform/concurrency/connection-limits.ts';
import { OpenConnections } from '../../platform/concurrency/open-connections.ts';
import { type ListenAddress, Listeners } from '../../platform/port-listeners.ts';
import { addressBucket, addressMatcher, normaliseAddress } from '../../platform/values/ip-addresses.ts';
import { readProxyHeader } from '../proxy-protocol.ts';
import { WhoisConnection, type WhoisTimeouts } from './whois-connection.ts';

const MAX_CONNECTIONS = 1_000;
/** Each is one query, and short. */
const MAX_CONNECTIONS_PER_ADDRESS = 50;
const TIMEOUTS: WhoisTimeouts = { queryMs: 10_000, answerMs: 20_000, readMs: 10_000 };

export type WhoisServerOptions = ListenAddress & {
  /** These must send a PROXY header; nobody else may. */
  readonly trustedProxies: readonly string[];
  readonly maxConnections?: number;
  readonly maxConnectionsPerAddress?: number;
  readonly timeouts?: Partial<WhoisTimeouts>;
  readonly sweepIntervalMs?: number;
  readonly answer: (query: Buffer, address: string) => Promise<string>;
  /** Told once per connection. */
  readonly ended: (reason: string) => void;
};

export type WhoisServer = {
  readonly port: number;
  readonly connections: () => number;
  /** Accepts no more connections, and resolves when all are closed; those left after the timeout are cut. */
  readonly drain: (timeoutMs: number) => Promise<void>;
};

export async function startWhoisServer(options: WhoisServerOptions): Promise<WhoisServer> {
  const connections = new WhoisConnections(options);
  // Clients that close their side behind the query wait for the answer.
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => connections.accept(socket));
  const listeners = new Listeners(server);
  const port = await listeners.listen(options);
  return {
    port,
    connections: () => connections.size,
    drain: (timeoutMs) => {
      server.close();
      void listeners.close();
      return connections.drain(timeoutMs);
    },
  };
}

class WhoisConnections {
  readonly #options: WhoisServerOptions;
  readonly #timeouts: WhoisTimeouts;
  readonly #isTrusted: (address: string) => boolean;
  readonly #limits: ConnectionLimits<WhoisConnection>;
  readonly #open: OpenConnections<WhoisConnection>;

  constructor(options: WhoisServerOptions) {
    this.#options = options;
    this.#timeouts = { ...TIMEOUTS, ...options.timeouts };
    this.#isTrusted = addressMatcher(options.trustedProxies);
    this.#limits = new ConnectionLimits({
      maxPerBucket: options.maxConnectionsPerAddress ?? MAX_CONNECTIONS_PER_ADDRESS,
      maxTotal: options.maxConnections ?? MAX_CONNECTIONS,
      usageOf: ({ usage }) => usage,
    });
    this.#open = new OpenConnections(options.sweepIntervalMs);
  }

  get size(): number {
    return this.#open.size;
  }

  accept(socket: Socket): void {
    const remoteAddress = this.#open.accept(socket);
    if (remoteAddress === undefined) return;
    const { answer } = this.#options;
    const connection = new WhoisConnection(socket, normaliseAddress(remoteAddress), {
      timeouts: this.#timeouts,
      answer,
    });
    this.#open.add(connection);
    socket.once('close', () => this.#closed(connection));
    if (this.#isTrusted(remoteAddress)) this.#readProxyHeader(socket, connection);
    else this.#admit(connection, addressBucket(remoteAddress));
  }

  drain(timeoutMs: number): Promise<void> {
    return this.#open.drain(timeoutMs);
  }

  #readProxyHeader(socket: Socket, connection: WhoisConnection): void {
    // A proxy that checks our health may leave without a header.
    socket.once('end', () => {
      if (!connection.isCounted) socket.end();
    });
    readProxyHeader(socket, {
      done: ({ address }) => {
        if (address !== undefined) connection.address = address;
        this.#admit(connection, address === undefined ? undefined : addressBucket(address));
      },
      failed: () => connection.cut('proxy-header'),
    });
  }

  #admit(connection: WhoisConnection, bucket: string | undefined): void {
    connection.bucket = bucket;
    connection.isCounted = true;
    const displaced = this.#limits.add(connection, bucket);
    displaced?.cut(displaced === connection ? 'too-many' : 'displaced');
    if (displaced !== connection) connection.open();
  }

  #closed(connection: WhoisConnection): void {
    this.#limits.delete(connection);
    this.#options.ended(connection.endReason ?? 'closed-by-client');
    this.#open.delete(connection);
  }
}

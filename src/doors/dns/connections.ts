import type { Socket } from 'node:net';
import { BoundedQueue } from '../../platform/concurrency/bounded-queue.ts';
import { ConnectionLimits } from '../../platform/concurrency/connection-limits.ts';
import { OpenConnections } from '../../platform/concurrency/open-connections.ts';
import { addressBucket, normaliseAddress } from '../../platform/values/ip-addresses.ts';
import type { RequestHandler } from './request-handler.ts';
import { DnsConnection, type DnsTimeouts } from './tcp-connection.ts';

const MAX_CONNECTIONS = 500;
/** A secondary may transfer all zones at once, and ask meanwhile. */
const MAX_CONNECTIONS_PER_ADDRESS = 50;
/** Each holds a connection of the database; others wait for their turn. */
const MAX_TRANSFERS = 4;
/** With the period of progress: 64 KiB per second, below which a million delegations would take half an hour. */
const MIN_BYTES_PER_PERIOD = 20 * 65_536;
const TIMEOUTS: DnsTimeouts = {
  ...{ idleMs: 10_000, requestMs: 5_000, progressMs: 20_000, transferMs: 30 * 60_000 },
};

export type DnsConnectionOptions = {
  readonly maxConnections?: number;
  readonly maxConnectionsPerAddress?: number;
  readonly maxTransfers?: number;
  readonly minBytesPerPeriod?: number;
  readonly timeouts?: Partial<DnsTimeouts>;
  readonly sweepIntervalMs?: number;
  /** Told once per TCP connection. */
  readonly ended: (reason: string) => void;
};

/** The open TCP connections of a server. */
export class DnsConnections {
  readonly #options: DnsConnectionOptions;
  readonly #handler: RequestHandler;
  readonly #transfers: BoundedQueue;
  readonly #limits: ConnectionLimits<DnsConnection>;
  readonly #timeouts: DnsTimeouts;
  readonly #open: OpenConnections<DnsConnection>;

  constructor(handler: RequestHandler, options: DnsConnectionOptions) {
    const maxTotal = options.maxConnections ?? MAX_CONNECTIONS;
    this.#options = options;
    this.#handler = handler;
    this.#timeouts = { ...TIMEOUTS, ...options.timeouts };
    // A connection has one transfer at most, so they bound the queue.
    this.#transfers = new BoundedQueue(options.maxTransfers ?? MAX_TRANSFERS, maxTotal);
    this.#limits = new ConnectionLimits({
      ...{ maxTotal, maxPerBucket: options.maxConnectionsPerAddress ?? MAX_CONNECTIONS_PER_ADDRESS },
      usageOf: ({ usage }) => usage,
    });
    this.#open = new OpenConnections(options.sweepIntervalMs);
  }

  get size(): number {
    return this.#open.size;
  }

  accept(socket: Socket): void {
    // The connection ends with 'close', which follows.
    socket.on('error', () => {});
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || this.#open.isDraining) {
      socket.destroy();
      return;
    }
    const from = { address: normaliseAddress(remoteAddress), bucket: addressBucket(remoteAddress) };
    const connection = new DnsConnection(socket, from, {
      ...{ handler: this.#handler, transfers: this.#transfers, timeouts: this.#timeouts },
      minBytes: this.#options.minBytesPerPeriod ?? MIN_BYTES_PER_PERIOD,
    });
    this.#open.add(connection);
    socket.once('close', () => this.#closed(connection));
    const displaced = this.#limits.add(connection, connection.bucket);
    displaced?.cut(displaced === connection ? 'too-many' : 'displaced');
  }

  drain(timeoutMs: number): Promise<void> {
    return this.#open.drain(timeoutMs);
  }

  #closed(connection: DnsConnection): void {
    this.#limits.delete(connection, connection.bucket);
    connection.close();
    this.#options.ended(connection.endReason ?? 'closed-by-client');
    this.#open.delete(connection);
  }
}

import type { Socket } from 'node:net';
import { BoundedQueue } from '../../platform/concurrency/bounded-queue.ts';
import { ConnectionLimits } from '../../platform/concurrency/connection-limits.ts';
import { addressBucket, normaliseAddress } from '../../platform/values/ip-addresses.ts';
import type { RequestHandler } from './request-handler.ts';
import { DnsConnection, type DnsTimeouts } from './tcp-connection.ts';

const MAX_CONNECTIONS = 500;
/** A secondary may transfer all zones at once, and ask meanwhile. */
const MAX_CONNECTIONS_PER_ADDRESS = 50;
/** Each holds a connection of the database; others wait for their turn. */
const MAX_TRANSFERS = 4;
const SWEEP_INTERVAL_MS = 1_000;
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
  readonly #open = new Set<DnsConnection>();
  readonly #sweeps: NodeJS.Timeout;
  #emptied: (() => void) | undefined;

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
    const sweep = () => {
      const now = performance.now();
      for (const connection of this.#open) connection.sweep(now);
    };
    this.#sweeps = setInterval(sweep, options.sweepIntervalMs ?? SWEEP_INTERVAL_MS).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  accept(socket: Socket): void {
    // The connection ends with 'close', which follows.
    socket.on('error', () => {});
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || this.#emptied) {
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

  async drain(timeoutMs: number): Promise<void> {
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    for (const connection of this.#open) connection.end('drained');
    const cutRest = () => {
      for (const connection of this.#open) connection.cut('drained');
    };
    const timer = setTimeout(cutRest, timeoutMs);
    if (this.#open.size > 0) await emptied;
    clearTimeout(timer);
    clearInterval(this.#sweeps);
  }

  #closed(connection: DnsConnection): void {
    this.#open.delete(connection);
    this.#limits.delete(connection, connection.bucket);
    connection.close();
    this.#options.ended(connection.endReason ?? 'closed-by-client');
    if (this.#open.size === 0) this.#emptied?.();
  }
}

import type { Socket } from 'node:net';
import { ConnectionLimits } from '../../platform/concurrency/connection-limits.ts';
import { OpenConnections } from '../../platform/concurrency/open-connections.ts';
import { addressBucket, normaliseAddress } from '../../platform/values/ip-addresses.ts';
import type { RequestHandler } from './request-handler.ts';
import { DnsConnection, type DnsTimeouts } from './tcp-connection.ts';
import { TransferSlots } from './transfer-slots.ts';

const MAX_CONNECTIONS = 500;
/** A secondary may transfer all zones at once, and ask meanwhile. */
const MAX_CONNECTIONS_PER_ADDRESS = 50;
/** Of whole zones: each holds a connection of the database. */
const MAX_TRANSFERS = 4;
/** With the period of progress: 64 KiB per second, below which a million delegations would take half an hour. */
const MIN_BYTES_PER_PERIOD = 20 * 65_536;
const TIMEOUTS: DnsTimeouts = {
  idleMs: 10_000,
  requestMs: 5_000,
  progressMs: 20_000,
  transferMs: 30 * 60_000,
};

export type DnsConnectionOptions = {
  readonly maxConnections?: number;
  readonly maxConnectionsPerAddress?: number;
  /** Shared by the servers that use the same database. */
  readonly transfers?: TransferSlots;
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
  readonly #transfers: TransferSlots;
  readonly #limits: ConnectionLimits<DnsConnection>;
  readonly #timeouts: DnsTimeouts;
  readonly #open: OpenConnections<DnsConnection>;

  constructor(handler: RequestHandler, options: DnsConnectionOptions) {
    const maxTotal = options.maxConnections ?? MAX_CONNECTIONS;
    this.#options = options;
    this.#handler = handler;
    this.#timeouts = { ...TIMEOUTS, ...options.timeouts };
    this.#transfers = options.transfers ?? new TransferSlots(MAX_TRANSFERS);
    this.#limits = new ConnectionLimits({
      maxTotal,
      maxPerBucket: options.maxConnectionsPerAddress ?? MAX_CONNECTIONS_PER_ADDRESS,
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
    const from = { address: normaliseAddress(remoteAddress), bucket: addressBucket(remoteAddress) };
    const connection = new DnsConnection(socket, from, {
      handler: this.#handler,
      transfers: this.#transfers,
      timeouts: this.#timeouts,
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
    this.#limits.delete(connection);
    connection.close();
    this.#options.ended(connection.endReason ?? 'closed-by-client');
    this.#open.delete(connection);
  }
}

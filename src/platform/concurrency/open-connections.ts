import type { Socket } from 'node:net';

const SWEEP_INTERVAL_MS = 1_000;

/** A connection without timers of its own: thousands of them share one. */
type SweptConnection = {
  /** Ends it if one of its time limits has passed. */
  sweep(now: number): void;
  /** Ends it after what it is doing. */
  drain(): void;
  cut(reason: string): void;
};

/** The open connections of a server: swept for their time limits, and drained when it stops. */
export class OpenConnections<Connection extends SweptConnection> {
  readonly #open = new Set<Connection>();
  readonly #sweeps: NodeJS.Timeout;
  #emptied: (() => void) | undefined;

  constructor(sweepIntervalMs = SWEEP_INTERVAL_MS) {
    const sweep = () => {
      const now = performance.now();
      for (const connection of this.#open) connection.sweep(now);
    };
    this.#sweeps = setInterval(sweep, sweepIntervalMs).unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** No more connections are to be accepted. */
  get isDraining(): boolean {
    return this.#emptied !== undefined;
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#open.values();
  }

  /** The address of a new connection; undefined if none is accepted any more, or it is gone already, and was closed. */
  accept(socket: Socket): string | undefined {
    // The connection ends with 'close', which follows.
    socket.on('error', () => {});
    const { remoteAddress } = socket;
    if (remoteAddress !== undefined && !this.isDraining) return remoteAddress;
    socket.destroy();
    return undefined;
  }

  add(connection: Connection): void {
    this.#open.add(connection);
  }

  delete(connection: Connection): void {
    this.#open.delete(connection);
    if (this.#open.size === 0) this.#emptied?.();
  }

  /** Resolves when all are closed; those left after the timeout are cut. */
  async drain(timeoutMs: number): Promise<void> {
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    for (const connection of this.#open) connection.drain();
    const cutRest = () => {
      for (const connection of this.#open) connection.cut('drained');
    };
    const timer = setTimeout(cutRest, timeoutMs);
    if (this.#open.size > 0) await emptied;
    clearTimeout(timer);
    clearInterval(this.#sweeps);
  }
}

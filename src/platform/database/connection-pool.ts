import { type Deadline, DeadlineExceeded } from '../concurrency/deadline.ts';
import { currentDeadline, requireTime } from '../work-scope.ts';
import type { Connection, ConnectionOptions } from './database-connection.ts';
import { ConnectionFailed } from './database-errors.ts';
import type { PoolStatus } from './pool-status.ts';
import type { Server } from './database-server.ts';

type Waiting = {
  readonly deadline: Deadline | undefined;
  readonly resolve: (connection: Connection) => void;
  readonly reject: (reason: unknown) => void;
};

const CLOSE_TIMEOUT_MS = 5_000;

/** Connections that each serve one caller at a time; callers queue for a free one. */
export class ConnectionPool {
  readonly #server: Server;
  readonly #options: Omit<ConnectionOptions, 'pipeline'>;
  readonly #max: number;
  readonly #open = new Set<Connection>();
  readonly #idle: Connection[] = [];
  #waiting: Waiting[] = [];
  #opening = 0;
  #waits = 0;
  #waitedMs = 0;
  #isClosed = false;
  #atRest: (() => void) | undefined;

  constructor(server: Server, options: Omit<ConnectionOptions, 'pipeline'>, max: number) {
    this.#server = server;
    this.#options = options;
    this.#max = max;
    server.watch(this);
  }

  async take(): Promise<Connection> {
    if (this.#isClosed) throw closed();
    const deadline = currentDeadline();
    requireTime(deadline);
    for (;;) {
      const connection = this.#idle.pop();
      if (connection === undefined) break;
      if (!this.#server.isOutdated(connection)) return connection;
      void connection.close();
    }
    return this.#wait(deadline);
  }

  get status(): PoolStatus {
    return {
      max: this.#max,
      open: this.#open.size,
      inUse: this.#open.size - this.#idle.length,
      waiting: this.#waiting.length,
      waits: this.#waits,
      waitedMs: this.#waitedMs,
    };
  }

  /** Returns a connection; it is reused only if it is outside a transaction. */
  give(connection: Connection): void {
    if (!connection.isIdle) connection.destroy();
    else if (this.#isClosed || this.#server.isOutdated(connection)) void connection.close();
    else this.#offer(connection);
  }

  /** Rejects callers whose deadline has passed before their statement begins. */
  expireWaiting(): void {
    if (!this.#waiting.some(({ deadline }) => deadline?.isOver)) return;
    this.#waiting = this.#waiting.filter(({ deadline, reject }) => {
      if (!deadline?.isOver) return true;
      reject(new DeadlineExceeded(deadline));
      return false;
    });
  }

  /** The server of this connection is no longer one that this pool can use. */
  leaveServer(connection: Connection): void {
    this.#server.leave(connection);
  }

  /** Lets running statements end, and aborts them after a timeout. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      this.#atRest = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    for (const connection of this.#open) connection.destroy();
  }

  async #wait(deadline: Deadline | undefined): Promise<Connection> {
    const since = performance.now();
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.push({ deadline, resolve, reject });
        this.#grow();
      });
    } finally {
      this.#waits += 1;
      this.#waitedMs += performance.now() - since;
    }
  }

  #offer(connection: Connection): void {
    const next = this.#waiting.shift();
    if (next) next.resolve(connection);
    else this.#idle.push(connection);
  }

  #grow(): void {
    if (this.#opening >= this.#waiting.length || this.#open.size + this.#opening >= this.#max) return;
    this.#opening += 1;
    this.#server.connect({ ...this.#options, pipeline: false }).then(
      (connection) => {
        this.#opening -= 1;
        this.#admit(connection);
      },
      (error: unknown) => {
        this.#opening -= 1;
        // Waiting callers can still get one of the others.
        if (this.#open.size > 0) return;
        for (const { reject } of this.#waiting.splice(0)) reject(error);
      },
    );
  }

  #admit(connection: Connection): void {
    if (this.#isClosed) {
      void connection.close();
      return;
    }
    this.#open.add(connection);
    connection.whenEnded(() => {
      this.#open.delete(connection);
      const place = this.#idle.indexOf(connection);
      if (place !== -1) this.#idle.splice(place, 1);
      this.#grow();
      if (this.#open.size === 0) this.#atRest?.();
    });
    if (connection.isUsable) this.#offer(connection);
  }
}

const closed = (): Error => new ConnectionFailed(new Error('the pool is closed'));

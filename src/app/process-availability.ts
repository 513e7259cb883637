import type { FastifyRequest } from 'fastify';
import type { HttpServer } from '../doors/http/http-server.ts';
import { refusal, refuse } from '../operations/common-refusals.ts';
import type { Refusal } from '../operations/refusal.ts';
import { ClockWrong } from '../platform/clock/checked-clock.ts';
import type { Clock } from '../platform/clock/clock.ts';
import { type Maintenance, readMaintenance } from '../platform/read-maintenance.ts';
import type { Database } from '../platform/database/database.ts';

type Dependencies = {
  readonly database: Database;
  /** Throws where it is wrong. */
  readonly clock: Clock;
  readonly server: Pick<HttpServer, 'isOverloaded' | 'isFull'>;
};

/** Whether the product can work on a request now. */
export class Availability {
  readonly #parts: Dependencies;
  readonly #clock: Clock;
  #maintenance: Maintenance | undefined;
  #isStopping = false;

  private constructor(parts: Dependencies) {
    this.#parts = parts;
    this.#clock = refusingClock(parts.clock);
  }

  static async open(parts: Dependencies): Promise<Availability> {
    const availability = new Availability(parts);
    await availability.refresh();
    return availability;
  }

  async refresh(): Promise<void> {
    this.#maintenance = await readMaintenance(this.#parts.database.reads);
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** A process that is stopping still works on requests, and tells proxies to send it none. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Maintenance does not concern look-ups. */
  readonly refuseIfBusy = (request: FastifyRequest): void => {
    this.#clock.now();
    if (this.#parts.server.isOverloaded(request)) refuse('overload');
  };

  readonly refuseIfUnavailable = (request: FastifyRequest): void => {
    if (this.#maintenance) refuse('maintenance');
    this.refuseIfBusy(request);
  };

  /** Why no command of EPP can be carried out now. */
  readonly unavailable = (): Refusal | undefined => {
    if (this.#maintenance) return refusal('maintenance');
    if (this.clockFault() !== undefined) return refusal('clockWrong');
    if (!this.#parts.database.isAvailable()) return refusal('databaseAway');
    return this.#parts.server.isFull() ? refusal('overload') : undefined;
  };

  readonly clockFault = (): string | undefined => {
    try {
      this.#parts.clock.now();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
}

/** Turns a wrong clock into a refusal wherever a request reads the time. */
export const refusingClock = (clock: Clock): Clock => ({
  now() {
    try {
      return clock.now();
    } catch (error) {
      if (error instanceof ClockWrong) refuse('clockWrong');
      throw error;
    }
  },
});

import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Addresses } from './address.ts';
import { Connection, type Settings } from './connection.ts';
import { ConnectionFailed } from './errors.ts';
import { sql } from './statement.ts';

const PROBE_INTERVAL_MS = 100;
/** How long a statement waits for a database that has just gone; whoever comes later hears of it at once. */
const MAX_WAIT_MS = 1_000;

/**
 * The database behind its address, or behind one of several. While it cannot be reached, one probe at a time looks for
 * it; whoever needs a connection waits for the probe and does not try as well.
 */
export class Server {
  readonly #addresses: Addresses;
  #current = 0;
  #outage: { readonly since: number; failure: unknown; readonly over: Promise<void> } | undefined;
  #isClosed = false;
  #generation = 0;

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
  }

  async connect(settings: Settings, pipeline: boolean): Promise<Connection> {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const outage = this.#outage;
      if (outage === undefined) {
        try {
          return await this.#open(settings, pipeline);
        } catch (error) {
          this.#outage ??= this.#beginOutage(error, settings);
          continue;
        }
      }
      const left = Math.min(deadline, outage.since + MAX_WAIT_MS) - performance.now();
      if (left <= 0 || this.#isClosed) {
        // A caller that tries again at once must not keep the probe from being answered.
        await setImmediate();
        throw outage.failure;
      }
      await Promise.race([outage.over, sleep(left)]);
    }
  }

  /** The server behind the address takes no writes any more: connections to it are replaced when they are at rest. */
  leave(): void {
    this.#generation += 1;
  }

  isOutdated(connection: Connection): boolean {
    return connection.isOld || connection.generation !== this.#generation;
  }

  close(): void {
    this.#isClosed = true;
  }

  #beginOutage(failure: unknown, settings: Settings) {
    const outage = { since: performance.now(), failure, over: Promise.resolve() };
    const probe = async () => {
      while (!this.#isClosed) {
        try {
          await (await this.#open(settings, false)).close();
          break;
        } catch (error) {
          outage.failure = error;
        }
        await sleep(PROBE_INTERVAL_MS, undefined, { ref: false });
      }
      this.#outage = undefined;
    };
    outage.over = probe();
    return outage;
  }

  /** Of several servers the one that was right last time is asked first. */
  async #open(settings: Settings, pipeline: boolean): Promise<Connection> {
    const { servers, mustBeWritable } = this.#addresses;
    const generation = this.#generation;
    let failure: unknown;
    for (let attempt = 0; attempt < servers.length; attempt++) {
      const index = (this.#current + attempt) % servers.length;
      const address = servers[index];
      if (address === undefined) continue;
      try {
        const connection = await Connection.open(address, settings, pipeline, generation);
        if (mustBeWritable) await requireWritable(connection);
        this.#current = index;
        return connection;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

async function requireWritable(connection: Connection): Promise<void> {
  const { rows } = await connection.send(
    sql<{ writable: boolean }>`
      select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writable`,
    false,
  );
  if (rows[0]?.writable) return;
  await connection.close();
  throw new ConnectionFailed(new Error('the server takes no writes'));
}

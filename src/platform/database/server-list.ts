import type { Address, Addresses, WantedServer } from './address.ts';
import { Connection, type ConnectionOptions } from './database-connection.ts';
import { ConnectionFailed } from './database-errors.ts';
import { sql } from '../sql/statement.ts';

type Failure = { readonly address: Address; readonly error: unknown };

/** The servers of one database. The last suitable one is tried first. */
export class ServerList {
  readonly #servers: readonly Address[];
  readonly #wanted: WantedServer;
  #current = 0;

  constructor({ servers, wanted }: Addresses) {
    this.#servers = servers;
    this.#wanted = wanted;
  }

  async open(options: ConnectionOptions): Promise<Connection> {
    if (this.#wanted !== 'prefer-standby') return this.#open(options, this.#wanted);
    return this.#open(options, 'standby').catch(() => this.#open(options, 'any'));
  }

  async #open(options: ConnectionOptions, wanted: WantedServer): Promise<Connection> {
    const failures: Failure[] = [];
    for (let attempt = 0; attempt < this.#servers.length; attempt++) {
      const index = (this.#current + attempt) % this.#servers.length;
      const address = this.#servers[index];
      if (address === undefined) continue;
      try {
        const connection = await Connection.open(address, options);
        await requireWanted(connection, wanted);
        this.#current = index;
        return connection;
      } catch (error) {
        failures.push({ address, error });
      }
    }
    throw summaryOf(failures);
  }
}

/** The failures of all servers. The first one tried determines the kind: refused or unreachable. */
function summaryOf(failures: readonly Failure[]): unknown {
  const first = failures[0]?.error;
  if (failures.length < 2) return first;
  const texts = failures.map(
    ({ address: { host, port }, error }) =>
      `${host}:${port}: ${error instanceof Error ? error.message : error}`,
  );
  return new ConnectionFailed(first instanceof ConnectionFailed ? first.cause : first, texts.join('; '));
}

/** A standby is read-only, and so is a server after an operator's change or a full disk. */
async function requireWanted(connection: Connection, wanted: WantedServer): Promise<void> {
  if (wanted === 'any') return;
  try {
    const { rows } = await connection.send(
      sql<{ isReadOnly: boolean; isStandby: boolean }>`
        select current_setting('transaction_read_only') = 'on' as "isReadOnly", pg_is_in_recovery() as "isStandby"`,
      false,
    );
    if (wanted === 'read-write' && rows[0]?.isReadOnly !== false)
      throw new ConnectionFailed(new Error('the server takes no writes'));
    if (wanted === 'standby' && !rows[0]?.isStandby)
      throw new ConnectionFailed(new Error('the server is no standby'));
  } catch (error) {
    void connection.close();
    throw error;
  }
}

import type { Address, Addresses } from './address.ts';
import { Connection, type ConnectionOptions } from './connection.ts';
import { ConnectionFailed } from './errors.ts';
import { sql } from './statement.ts';

type Failure = { readonly address: Address; readonly error: unknown };

/** The servers of one database. The last writable one is tried first. */
export class ServerList {
  readonly #servers: readonly Address[];
  readonly #mustBeWritable: boolean;
  #current = 0;

  constructor({ servers, mustBeWritable }: Addresses) {
    this.#servers = servers;
    this.#mustBeWritable = mustBeWritable;
  }

  async open(options: ConnectionOptions): Promise<Connection> {
    const failures: Failure[] = [];
    for (let attempt = 0; attempt < this.#servers.length; attempt++) {
      const index = (this.#current + attempt) % this.#servers.length;
      const address = this.#servers[index];
      if (address === undefined) continue;
      try {
        const connection = await Connection.open(address, options);
        if (this.#mustBeWritable) await requireWritable(connection);
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
async function requireWritable(connection: Connection): Promise<void> {
  try {
    const { rows } = await connection.send(
      sql<{ isReadOnly: boolean }>`select current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
      false,
    );
    if (rows[0]?.isReadOnly !== false) throw new ConnectionFailed(new Error('the server takes no writes'));
  } catch (error) {
    void connection.close();
    throw error;
  }
}

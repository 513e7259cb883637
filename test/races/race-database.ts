import { inject } from 'vitest';
import type { Owner } from '../../src/platform/database/database.ts';
import { databaseUrl } from '../support/cadastre.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { createTestDatabase } from '../support/registry.ts';
import { type SandboxProcess, startSandboxProcess } from '../support/sandbox-process.ts';

/**
 * A database for processes that are killed and restarted. It is in the server of the whole run, which outlives
 * them as one of their own would, and is made in milliseconds instead of seconds.
 */
export class RaceDatabase {
  readonly sql: Owner;
  readonly #url: string;
  readonly #drop: () => Promise<void>;
  readonly #started: SandboxProcess[] = [];

  private constructor(name: string, sql: Owner, drop: () => Promise<void>) {
    this.sql = sql;
    this.#url = databaseUrl(name);
    this.#drop = drop;
  }

  static async create(): Promise<RaceDatabase> {
    const { name, drop } = await createTestDatabase();
    return new RaceDatabase(name, await connectAsOwner({ ...inject('server'), database: name }), drop);
  }

  /** One more process that works on it. */
  async start(env: Readonly<Record<string, string>> = {}): Promise<SandboxProcess> {
    const node = await startSandboxProcess({ env: { DATABASE_URL: this.#url, ...env } });
    this.#started.push(node);
    return node;
  }

  /** Ends what still runs. */
  async end(): Promise<void> {
    await Promise.all(this.#started.map((node) => node.stop()));
    await this.sql.close();
    await this.#drop();
  }
}

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostmaster } from '../src/platform/database/embedded/postmaster.ts';
import { type EmbeddedServer, startEmbeddedPostgres } from '../src/platform/database/embedded.ts';
import { openAsOwner } from '../src/platform/sql/database.ts';
import type { Pool } from '../src/platform/sql/executor.ts';
import { freePort } from '../test/support/free-port.ts';
import { sql } from '../test/support/sql.ts';
import type { Chance } from './chance.ts';
import { ProductNode } from './node.ts';
import { Services } from './services.ts';

/** Two processes of the product on one database, and the services that they tell of invoices. */
export class Place {
  readonly home: string;
  readonly nodes: readonly [ProductNode, ProductNode];
  readonly services: Services;
  readonly #server: EmbeddedServer;

  private constructor(home: string, server: EmbeddedServer, services: Services, nodes: Place['nodes']) {
    this.home = home;
    this.#server = server;
    this.services = services;
    this.nodes = nodes;
  }

  static async open(): Promise<Place> {
    const home = mkdtempSync(path.join(os.tmpdir(), 'cadastre-torture-'));
    chmodSync(home, 0o711); // as root the database runs under another account, which must be able to come in
    const server = await startEmbeddedPostgres(home);
    const { host, port, username, database } = server.address;
    const databaseUrl = `postgres://${username}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
    const services = await Services.open();
    const node = async (name: string) =>
      new ProductNode({
        ...{ name, databaseUrl, home: path.join(home, name), port: await freePort() },
        env: {
          AUCTION_URL: `${services.url}/auction`,
          EEID_URL: `${services.url}/eeid`,
          BUSINESS_REGISTRY_URL: `${services.url}/business_registry`,
          // All clients come from one address here, and wrong codes and links are part of the plan.
          ...{ FAILED_LOGINS_PER_MINUTE: '100000', CALLBACKS_PER_MINUTE: '100000' },
        },
      });
    const nodes = [await node('one'), await node('two')] as const;
    const place = new Place(home, server, services, nodes);
    await nodes[0].start();
    await nodes[1].start();
    return place;
  }

  /** The address of a node that runs, where one does. */
  url(chance: Chance): string {
    const [one, two] = this.nodes;
    const chosen = chance.happens(0.5) ? one : two;
    return chosen.isRunning ? chosen.url : (chosen === one ? two : one).url;
  }

  get postmaster(): number | undefined {
    return findPostmaster(this.#server.dataDirectory)?.pid;
  }

  async withOwner<T>(work: (db: Pool) => PromiseLike<T>): Promise<T> {
    const db = openAsOwner(this.#server.address);
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  }

  /** Resolves once the database answers. */
  async untilDatabaseAnswers(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.withOwner((db) => db.rows(sql`select 1`));
        return;
      } catch (error) {
        if (attempt === 100) throw error;
        await sleep(200);
      }
    }
  }

  async close(keep: boolean): Promise<void> {
    for (const node of this.nodes) await node.stop();
    await this.#server.stop();
    await this.services.close();
    if (!keep) rmSync(this.home, { recursive: true, force: true });
  }
}

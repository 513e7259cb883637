import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Pool } from '../src/platform/sql/executor.ts';
import { freePort } from '../test/support/free-port.ts';
import type { Chance } from './chance.ts';
import { Cluster, type ClusterOptions } from './database/cluster.ts';
import { EventReceiver } from './event-receiver.ts';
import { ProductNode } from './node.ts';
import { Services } from './services.ts';

/** Two processes of the product on one database, the services that they notify of invoices, and an endpoint for events. */
export class Place {
  readonly home: string;
  readonly nodes: readonly [ProductNode, ProductNode];
  readonly services: Services;
  readonly receiver: EventReceiver;
  readonly cluster: Cluster;

  private constructor(
    home: string,
    { cluster, services, receiver, nodes }: Pick<Place, 'cluster' | 'services' | 'receiver' | 'nodes'>,
  ) {
    this.home = home;
    this.cluster = cluster;
    this.services = services;
    this.receiver = receiver;
    this.nodes = nodes;
  }

  static async open(home: string, answerTimeoutMs: number, options: ClusterOptions): Promise<Place> {
    const cluster = await Cluster.open(home, options);
    const [services, receiver] = [await Services.open(), await EventReceiver.open()];
    const node = async (name: string) =>
      new ProductNode({
        name,
        databaseUrl: cluster.url,
        home: path.join(home, name),
        port: await freePort(),
        eppPort: await freePort(),
        env: {
          AUCTION_URL: `${services.url}/auction`,
          EEID_URL: `${services.url}/eeid`,
          BUSINESS_REGISTRY_URL: `${services.url}/business_registry`,
          ANSWER_TIMEOUT_MS: String(answerTimeoutMs),
          // All clients come from one address here, and wrong codes and links are part of the plan.
          FAILED_LOGINS_PER_MINUTE: '100000',
          CALLBACKS_PER_MINUTE: '100000',
          // So few that the leases of killed processes leave no place at times.
          EPP_SESSIONS_PER_REGISTRAR: '6',
        },
      });
    const nodes = [await node('one'), await node('two')] as const;
    const place = new Place(home, { cluster, services, receiver, nodes });
    try {
      await nodes[0].start();
      await nodes[1].start();
    } catch (error) {
      await place.close(true);
      throw error;
    }
    return place;
  }

  /** A node that runs, where one does. */
  node(chance: Chance): ProductNode {
    const [one, two] = this.nodes;
    const chosen = chance.happens(0.5) ? one : two;
    return chosen.isRunning ? chosen : chosen === one ? two : one;
  }

  withOwner<T>(work: (db: Pool) => PromiseLike<T>): Promise<T> {
    return this.cluster.withOwner(work);
  }

  async close(keep: boolean): Promise<void> {
    for (const node of this.nodes) await node.stop();
    await this.cluster.close(keep);
    await this.services.close();
    await this.receiver.close();
    if (!keep) rmSync(this.home, { recursive: true, force: true });
  }
}

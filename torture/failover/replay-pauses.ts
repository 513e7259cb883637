import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../test/support/sql.ts';
import type { Cluster } from '../database/cluster.ts';

/** Longer than a write takes after its commit on a busy machine: a reader that does not wait for the standby gets old rows. */
const PAUSE_MS = 250;
const REST_MS = 250;

/** Repeatedly pauses the replay of the standby, which receives WAL but does not show it. */
export class ReplayPauses {
  readonly #cluster: Cluster;
  readonly #pausing: Promise<void>;
  #isOver = false;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#pausing = this.#pause();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#pausing;
  }

  async #pause(): Promise<void> {
    while (!this.#isOver) {
      // It may be unavailable, or promoted meanwhile, which ends the pause.
      await this.#cluster
        .withOwner(async (db) => {
          await db.rows(sql`select pg_wal_replay_pause()`);
          await sleep(PAUSE_MS);
          await db.rows(sql`select pg_wal_replay_resume()`);
        }, this.#cluster.standby)
        .catch(() => {});
      await sleep(REST_MS);
    }
  }
}

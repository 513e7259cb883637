import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAsOwner } from '../../src/platform/database/database.ts';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { DatabaseProxy } from '../../test/support/database-proxy.ts';
import { sql } from '../../test/support/sql.ts';
import { signal } from './process-tree.ts';
import { TorturedServer } from './server.ts';

/** How nodes find the primary: each server has its address, or one address leads to whichever is the primary. */
export type AddressMode = 'hosts' | 'proxy';
export type StandbyMode = 'sync' | 'async';
/** By the clock of this machine: when the kill began, when no process was left, and when the other one took writes. */
export type FailoverTimes = {
  readonly killedAt: number;
  readonly goneAt: number;
  readonly promotedAt: number;
};
export type ClusterOptions = {
  readonly addressMode: AddressMode;
  readonly hasStandby: boolean;
  /** Whether commits wait for the standby; `sync` unless said. */
  readonly standbyMode?: StandbyMode;
  /** The size of the file system that data lies on; without it data lies on the disk of the machine. */
  readonly dataDiskMb?: number;
};

const ANSWER_ATTEMPTS = 300;
const POLL_INTERVAL_MS = 100;
const PROMOTION_POLL_INTERVAL_MS = 10;

/** A primary, a standby where one is wanted, and the lines by which the nodes reach them. */
export class Cluster {
  readonly proxies: readonly DatabaseProxy[];
  readonly url: string;
  readonly #servers: readonly TorturedServer[];
  readonly #mode: AddressMode;
  #standbyMode: StandbyMode;
  primary: TorturedServer;
  standby: TorturedServer | undefined;

  private constructor(
    servers: readonly [TorturedServer, ...TorturedServer[]],
    proxies: readonly DatabaseProxy[],
    { addressMode, standbyMode = 'sync' }: ClusterOptions,
  ) {
    [this.primary, this.standby] = servers;
    this.#servers = servers;
    this.#mode = addressMode;
    this.#standbyMode = standbyMode;
    this.proxies = proxies;
    const { username, database } = this.primary.address;
    const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',');
    this.url = `postgres://${username}@${hosts}/${database}?target_session_attrs=read-write`;
  }

  static async open(home: string, options: ClusterOptions): Promise<Cluster> {
    const { addressMode, hasStandby, dataDiskMb } = options;
    const server = (name: string) => new TorturedServer(path.join(home, name), name, dataDiskMb);
    const servers = [server('a'), ...(hasStandby ? [server('b')] : [])] as const;
    await servers[0].create();
    const behind = addressMode === 'hosts' ? servers : [servers[0]];
    const proxies = await Promise.all(behind.map(({ address }) => DatabaseProxy.open(address)));
    const cluster = new Cluster(servers, proxies, options);
    await cluster.makeStandby();
    return cluster;
  }

  async withOwner<T>(work: (db: Pool) => PromiseLike<T>, { address } = this.primary): Promise<T> {
    const db = openAsOwner(address);
    try {
      return await work(db);
    } finally {
      await db.close();
    }
  }

  /** Starts a primary that has ended, and resolves once it answers and a standby that there is follows it. */
  async untilAnswers(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (this.primary.postmaster === undefined) await this.primary.start();
        await this.withOwner((db) => db.rows(sql`select 1`));
        return;
      } catch (error) {
        if (attempt === ANSWER_ATTEMPTS) throw error;
        await sleep(POLL_INTERVAL_MS);
      }
    }
  }

  /** The address of one server alone, standby or not. */
  urlOf(server: TorturedServer): string {
    const { username, database } = server.address;
    return `postgres://${username}@127.0.0.1:${this.proxies[this.#servers.indexOf(server)]?.port}/${database}`;
  }

  /** The primary dies, the standby takes its place, and the dead one becomes the new standby. */
  async failOver(): Promise<FailoverTimes | undefined> {
    const times = await this.promoteStandby();
    if (times) await this.makeStandby();
    return times;
  }

  /**
   * The primary dies with all its processes, and the standby takes its place. Undefined where commits wait for the standby
   * and it was not there at that moment: writes would be lost by design. For `lagMs` before the kill nothing is sent to the
   * standby, as over a network that lags.
   */
  async promoteStandby(lagMs = 0): Promise<FailoverTimes | undefined> {
    const { primary: former, standby: next } = this;
    if (next === undefined || (this.#standbyMode === 'sync' && !(await this.#hasCaughtUp())))
      return undefined;
    if (lagMs > 0) {
      for (const pid of await this.withOwner(senders)) signal(pid, 'SIGSTOP');
      await sleep(lagMs);
    }
    const killedAt = Date.now();
    await former.kill9();
    const goneAt = Date.now();
    // Waiting inside the statement would block the replay by its snapshot.
    await this.withOwner((db) => db.rows(sql`select pg_promote(false)`), next);
    await this.#until('the standby is promoted', () => isPrimary(next), PROMOTION_POLL_INTERVAL_MS);
    const promotedAt = Date.now();
    [this.primary, this.standby] = [next, former];
    if (this.#mode === 'proxy') this.proxies[0]?.switchTo(next.address);
    return { killedAt, goneAt, promotedAt };
  }

  get standbyMode(): StandbyMode {
    return this.#standbyMode;
  }

  /** From now on commits wait for the standby, or no longer. */
  async setStandbyMode(mode: StandbyMode): Promise<void> {
    this.#standbyMode = mode;
    await this.#applyStandbyMode();
  }

  async close(keep: boolean): Promise<void> {
    for (const proxy of this.proxies) await proxy.close();
    await this.standby?.stop();
    await this.primary.stop();
    for (const server of this.#servers) await server.unmount(keep);
  }

  /** Copies the primary between the start and the stop of a backup; where commits shall wait for it, they do so then. */
  async makeStandby(): Promise<void> {
    const { primary, standby } = this;
    if (standby === undefined) return;
    await this.withOwner(async (db) => {
      await db.rows(sql`select pg_backup_start('standby', true)`);
      await standby.takeFilesOf(primary);
      const { label } = await db.one(
        sql<{ label: string }>`select labelfile as label from pg_backup_stop(false)`,
      );
      standby.write('backup_label', label);
    });
    // The setting of synchronous standbys would be copied too, and a new primary would wait for itself.
    standby.write('postgresql.auto.conf', '');
    standby.write('standby.signal', '');
    const { host, port, username } = primary.address;
    const source = `host=${host} port=${port} user=${username} application_name=${standby.name}`;
    await standby.start({ primary_conninfo: source });
    await this.withOwner((db) =>
      this.#until('the standby streams', async () => (await senders(db)).length > 0),
    );
    await this.#applyStandbyMode();
  }

  async #applyStandbyMode(): Promise<void> {
    const names = this.#standbyMode === 'sync' ? (this.standby?.name ?? '') : '';
    await this.withOwner(async (db) => {
      await db.script(`alter system set synchronous_standby_names = '${names}'`);
      await db.rows(sql`select pg_reload_conf()`);
      await this.#until('the standby has caught up', () => this.#hasCaughtUp());
      // Commits wait once the checkpointer has read the setting, which it does before other requests.
      await db.script('checkpoint');
    });
  }

  /** Also whether it has flushed everything from before commits waited for it. */
  async #hasCaughtUp(): Promise<boolean> {
    return this.withOwner(async (db) => {
      const { at } = await db.one(sql<{ at: string }>`select pg_current_wal_lsn()::text as at`);
      await this.#until('the standby has caught up', async () => {
        const rows = await db.rows(sql`
          select from pg_stat_replication where sync_state = ${this.#standbyMode} and flush_lsn >= ${at}::pg_lsn`);
        return rows.length > 0;
      });
      return true;
    }).catch(() => false);
  }

  async #until(what: string, isSo: () => Promise<boolean>, intervalMs = POLL_INTERVAL_MS): Promise<void> {
    const deadline = performance.now() + ANSWER_ATTEMPTS * POLL_INTERVAL_MS;
    while (!(await isSo())) {
      if (performance.now() > deadline) throw new Error(`${what}: not within the time`);
      await sleep(intervalMs);
    }
  }
}

const isPrimary = ({ address }: TorturedServer): Promise<boolean> => {
  const db = openAsOwner(address);
  return db
    .rows(sql<{ isStandby: boolean }>`select pg_is_in_recovery() as "isStandby"`)
    .then(
      ([row]) => row?.isStandby === false,
      () => false,
    )
    .finally(() => db.close());
};

/** The processes of the primary that send to a standby. */
const senders = async (db: Pool): Promise<number[]> => {
  const rows = await db.rows(
    sql<{ pid: number }>`select pid from pg_stat_replication where state = 'streaming'`,
  );
  return rows.map(({ pid }) => pid);
};

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { setOwner } from '../../src/embedded-postgres/account.ts';
import { prepareBinaries } from '../../src/embedded-postgres/binaries.ts';
import { createCluster, createDatabase, database, superuser } from '../../src/embedded-postgres/cluster.ts';
import {
  type ClusterLocation,
  openClusterLocation,
  port,
  socketDirectoryFor,
} from '../../src/embedded-postgres/cluster-location.ts';
import type { EmbeddedAddress } from '../../src/embedded-postgres/embedded-postgres.ts';
import { adoptOrLaunch } from '../../src/embedded-postgres/launch.ts';
import { findPostmaster, shutDown } from '../../src/embedded-postgres/postmaster.ts';
import { copyTree } from './copy-tree.ts';
import { killTree, stopTree } from './process-tree.ts';
import { SmallDisk } from './small-disk.ts';

const WAL_DISK_MB = 256;
/** WAL is kept small, so that a small disk holds it until the saboteur fills the rest. */
const SETTINGS = {
  shared_buffers: '128MB',
  min_wal_size: '32MB',
  max_wal_size: '64MB',
  wal_keep_size: '48MB',
  // The auditor compares the time of a commit with that of the answer.
  track_commit_timestamp: 'on',
  wal_receiver_timeout: '5s',
  wal_retrieve_retry_interval: '200ms',
  // No reader of a standby delays the replay that the primary waits for.
  max_standby_streaming_delay: '0',
};

const NOT_IN_A_BACKUP =
  /^(pg_wal|postmaster\.(pid|opts)|pg_replslot\/.*|pg_stat_tmp\/.*|pg_notify\/.*|pg_subtrans\/.*|pg_dynshmem\/.*|.*pgsql_tmp.*)$/;

/** One PostgreSQL in its own home, without automatic restart. */
export class TorturedServer {
  readonly name: string;
  readonly disks: { readonly data: SmallDisk; readonly wal: SmallDisk } | undefined;
  readonly address: EmbeddedAddress;
  readonly #location: ClusterLocation;
  readonly #binaries: string;
  #goOn: (() => void) | undefined;

  /** With `dataDiskMb` data and WAL lie on file systems of their own, which can be filled. */
  constructor(home: string, name: string, dataDiskMb?: number) {
    this.name = name;
    mkdirSync(home, { recursive: true });
    chmodSync(home, 0o711); // as root the database runs under another account, which needs access
    this.disks = dataDiskMb
      ? {
          data: SmallDisk.mount(path.join(home, 'postgres'), dataDiskMb, 0o711),
          wal: SmallDisk.mount(path.join(home, 'wal'), WAL_DISK_MB, 0o700),
        }
      : undefined;
    this.#location = openClusterLocation(home);
    if (this.disks) setOwner(this.#location.account, this.disks.wal.directory);
    // Programs need not lie on the small disk.
    this.#binaries = prepareBinaries({ ...this.#location, directory: home }, () => {});
    const host = socketDirectoryFor(this.#location);
    this.address = { host, port, username: superuser, database };
  }

  get data(): string {
    return this.#location.data;
  }

  get postmaster(): number | undefined {
    return findPostmaster(this.data)?.pid;
  }

  async create(): Promise<void> {
    await createCluster(this.#location, this.#binaries, false);
    await this.#moveWal();
    await this.start();
    await createDatabase(this.address.host, port);
  }

  /** Resolves once it answers; does nothing where it runs. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const { host: socketDirectory } = this.address;
    const launch = { location: this.#location, binaries: this.#binaries, socketDirectory };
    await adoptOrLaunch({ ...launch, settings: { ...SETTINGS, ...settings } });
  }

  async kill9(): Promise<void> {
    const { postmaster } = this;
    if (postmaster !== undefined) await killTree(postmaster);
  }

  /** Stops all its processes until it is thawed. */
  freeze(): void {
    const { postmaster } = this;
    if (postmaster !== undefined) this.#goOn = stopTree(postmaster);
  }

  thaw(): void {
    this.#goOn?.();
    this.#goOn = undefined;
  }

  async stop(): Promise<void> {
    this.thaw();
    for (const disk of Object.values(this.disks ?? {})) disk.free();
    const { postmaster } = this;
    if (postmaster !== undefined) await shutDown(this.data, postmaster);
  }

  /** Replaces its files by those of another server, which is in backup mode. WAL is streamed. */
  async takeFilesOf(source: TorturedServer): Promise<void> {
    rmSync(this.data, { recursive: true, force: true });
    await copyTree(source.data, this.data, this.#location.account, (file) => !NOT_IN_A_BACKUP.test(file));
    this.makeDirectory('pg_wal');
    await this.#moveWal();
    for (const name of ['archive_status', 'summaries']) this.makeDirectory(`pg_wal/${name}`);
  }

  makeDirectory(name: string): void {
    const directory = path.join(this.data, name);
    mkdirSync(directory, { mode: 0o700, recursive: true });
    setOwner(this.#location.account, directory);
  }

  write(name: string, text: string): void {
    const file = path.join(this.data, name);
    writeFileSync(file, text, { mode: 0o600 });
    setOwner(this.#location.account, file);
  }

  /** The number of matches in its log. */
  countInLog(pattern: RegExp): number {
    const log = path.join(this.#location.home, 'logs', 'postgres.log');
    return existsSync(log) ? (readFileSync(log, 'utf8').match(pattern)?.length ?? 0) : 0;
  }

  /** Copies the files in memory to the disk below, where required. */
  async unmount(keep: boolean): Promise<void> {
    if (!this.disks) return;
    const { data, wal } = this.disks;
    const kept = `${data.directory}-kept`;
    if (keep) await cp(data.directory, kept, { recursive: true, filter: (file) => !file.includes('/run') });
    if (keep) await cp(wal.directory, path.join(kept, 'wal'), { recursive: true });
    for (const disk of [data, wal]) disk.unmount();
  }

  async #moveWal(): Promise<void> {
    if (!this.disks) return;
    const inside = path.join(this.data, 'pg_wal');
    const outside = path.join(this.disks.wal.directory, 'pg_wal');
    rmSync(outside, { recursive: true, force: true });
    await copyTree(inside, outside, this.#location.account);
    rmSync(inside, { recursive: true });
    symlinkSync(outside, inside);
  }
}

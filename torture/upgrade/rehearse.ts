import { setTimeout as sleep } from 'node:timers/promises';
import type { Owner } from '../../src/platform/database/database.ts';
import { connectAsOwner } from '../../test/support/connect-as-owner.ts';
import { sql } from '../../test/support/sql.ts';
import { Load } from './load.ts';
import {
  isReady,
  type RunningProcess,
  type RunningServer,
  runCommand,
  type Settings,
  startServer,
  startWorker,
} from './release-process.ts';

export type Rehearsal = {
  /** Seeded with the registrars of the sandbox, and migrated by the old release. */
  readonly databaseUrl: string;
  /** A folder of the old release, or how to start it. */
  readonly from: string | ((settings: Settings) => Promise<RunningRelease>);
  readonly to: string;
  /** Settings of the new release only. */
  readonly toSettings?: Settings;
  /** The processes are replaced before the migration, as the release after them allows. */
  readonly serversFirst?: boolean;
  /** The new processes are started before the migration is complete: they run on the old schema too. */
  readonly startsEarly?: boolean;
  readonly writers: number;
  readonly readers: number;
  /** Load before the migration and after the replacement of each process. */
  readonly restMs: number;
  /** For how long a transaction that has read the tables stays open while they are migrated. */
  readonly longReaderMs: number;
  /** It ends before that when the migration has tried so often to get its locks. */
  readonly maxLockAttempts?: number;
  readonly say?: (text: string) => void;
};

export type UpgradeReport = {
  readonly requests: number;
  readonly failed: readonly string[];
  /** Acknowledged registrations, and how many of them are not in the database. */
  readonly registered: number;
  readonly lost: number;
  readonly unready: number;
  readonly unexpected: readonly string[];
  readonly phases: readonly {
    readonly name: PhaseName;
    readonly ms: number;
    readonly longestRequestMs: number;
  }[];
};

export type RunningRelease = { readonly servers: readonly RunningServer[]; readonly worker: RunningProcess };

type PhaseName = 'before' | 'migration' | 'replacement';
type Phase = { readonly name: PhaseName; readonly from: number; readonly until: number };

const READY_INTERVAL_MS = 50;
const LOCK_INTERVAL_MS = 20;

/** Two servers and a worker of the old release under load; the database is migrated, and each is replaced. */
export async function rehearseUpgrade(plan: Rehearsal): Promise<UpgradeReport> {
  const { databaseUrl, from, to, say = () => {} } = plan;
  const settings: Settings = {
    DATABASE_URL: databaseUrl,
    CADASTRE_HOME: '/nonexistent',
    RATE_LIMIT_PER_MINUTE: '1000000',
    MAX_REQUESTS_PER_ADDRESS: '1000',
    // No client is left at a server that is stopped.
    SHUTDOWN_DELAY_MS: '0',
  };
  await using running = new AsyncDisposableStack();
  const all: RunningProcess[] = [];
  const keep = <P extends RunningProcess>(process: P): P => {
    all.push(process);
    running.defer(async () => void (await process.stop()));
    return process;
  };
  const nextSettings = { ...settings, ...plan.toSettings };
  const startAll = async (tree: string, its: Settings): Promise<RunningRelease> => {
    const [one, two, worker] = await Promise.all([
      startServer(tree, its).then(keep),
      startServer(tree, its).then(keep),
      startWorker(tree, its).then(keep),
    ]);
    return { servers: [one, two], worker };
  };
  const owner = await connectAsOwner(databaseUrl);
  running.defer(() => owner.close());
  const old = typeof from === 'string' ? await startAll(from, settings) : await from(settings);
  say('two servers and a worker of the old release are ready');
  const load = new Load();
  load.start(
    old.servers.map(({ url }) => url),
    plan.writers,
    plan.readers,
  );
  running.defer(() => load.stop());
  const watch = new ReadyWatch(old.servers);
  running.defer(() => watch.stop());
  const phases: Phase[] = [];
  const during = async (name: PhaseName, work: () => Promise<unknown>) => {
    const begin = performance.now();
    await work();
    phases.push({ name, from: begin, until: performance.now() });
  };
  await during('before', () => sleep(plan.restMs));

  const early = plan.startsEarly ? startAll(to, nextSettings) : undefined;
  const migrate = () =>
    during('migration', async () => {
      const reader = readLong(owner, plan);
      const applied = await runCommand(to, 'migrate', nextSettings);
      await reader;
      say(`migrated:\n${applied.trimEnd()}`);
    });
  const replace = () =>
    during('replacement', async () => {
      const next = await (early ?? startAll(to, nextSettings));
      for (const [index, server] of next.servers.entries()) {
        load.add(server.url);
        watch.add(server);
        const former = old.servers[index];
        if (former === undefined) continue;
        watch.remove(former);
        await load.drain(former.url);
        await former.stop();
        say(`server ${index + 1} is replaced`);
        await sleep(plan.restMs);
      }
      await old.worker.stop();
      say('the worker is replaced');
    });
  for (const step of plan.serversFirst ? [replace, migrate] : [migrate, replace]) {
    await step();
    await sleep(plan.restMs);
  }
  await load.stop();
  await watch.stop();

  const { answered } = load;
  const longest = ({ from: begin, until }: Phase) =>
    Math.round(
      Math.max(0, ...answered.filter(({ at, ms }) => at + ms >= begin && at < until).map(({ ms }) => ms)),
    );
  return {
    requests: answered.length,
    failed: answered.filter(({ status }) => status !== 200).map(({ status, what }) => `${status} ${what}`),
    registered: load.registered.length,
    lost: load.registered.length - (await countDomains(owner, load.registered)),
    unready: watch.unready,
    unexpected: [...all, ...old.servers, old.worker].flatMap(({ printed }) =>
      printed.split('\n').filter((line) => /"level":[56]0/.test(line)),
    ),
    phases: phases.map((phase) => ({
      name: phase.name,
      ms: Math.round(phase.until - phase.from),
      longestRequestMs: longest(phase),
    })),
  };
}

/** Asks the servers that take requests whether they are ready, as a load balancer does. */
class ReadyWatch {
  unready = 0;
  #servers: readonly RunningServer[];
  #isOver = false;
  readonly #watching: Promise<void>;

  constructor(servers: readonly RunningServer[]) {
    this.#servers = servers;
    this.#watching = this.#watch();
  }

  add = (server: RunningServer): void => {
    this.#servers = [...this.#servers, server];
  };
  remove = (server: RunningServer): void => {
    this.#servers = this.#servers.filter((one) => one !== server);
  };

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#watching;
  }

  async #watch(): Promise<void> {
    while (!this.#isOver) {
      for (const server of this.#servers)
        if (!(await isReady(server.url)) && this.#servers.includes(server)) this.unready += 1;
      await sleep(READY_INTERVAL_MS);
    }
  }
}

/** A long reader whose transaction has read the tables: they cannot be altered meanwhile. */
async function readLong(
  owner: Owner,
  { databaseUrl, longReaderMs, maxLockAttempts }: Rehearsal,
): Promise<void> {
  const reader = await connectAsOwner(databaseUrl);
  await reader.begin(async (db) => {
    await db.script('select count(*) from domains; select count(*) from contacts');
    const until = performance.now() + longReaderMs;
    let [attempts, wasWaiting] = [0, false];
    while (performance.now() < until && attempts < (maxLockAttempts ?? Number.POSITIVE_INFINITY)) {
      const isWaiting = await isLockAwaited(owner);
      if (wasWaiting && !isWaiting) attempts += 1;
      wasWaiting = isWaiting;
      await sleep(LOCK_INTERVAL_MS);
    }
  });
  await reader.close();
}

async function isLockAwaited(owner: Owner): Promise<boolean> {
  const { count } = await owner.one(sql<{ count: number }>`
    select count(*)::int as count from pg_locks where not granted and mode = 'AccessExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`);
  return count > 0;
}

async function countDomains(owner: Owner, names: readonly string[]): Promise<number> {
  const { count } = await owner.one(
    sql<{ count: number }>`select count(*)::int as count from domains where name = any(${names})`,
  );
  return count;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '../../src/ledger/check-ledger.ts';
import { freePort } from '../../test/support/free-port.ts';
import type { Cluster, FailoverTimes, StandbyMode } from '../database/cluster.ts';
import { isHealthy, type RunningServer, type Settings, startServer } from '../upgrade/release-process.ts';
import { THIS_TREE } from '../upgrade/release-tree.ts';
import { type Audited, auditFailovers, type ListFigures, type WriteFigures } from './audit-failovers.ts';
import {
  checkReadiness,
  checkStandbyAnswers,
  type ReplicaCounts,
  readReplicaCounts,
} from './check-servers.ts';
import { FailoverLoad } from './failover-load.ts';
import { ReplayPauses } from './replay-pauses.ts';

export type FailoverPlan = {
  /** Migrated, and seeded with the registrars of the sandbox. */
  readonly cluster: Cluster;
  readonly times: number;
  readonly writers: number;
  readonly readers: number;
  /** Load before each failover and after the last one. */
  readonly restMs: number;
  /** How a server is started; without it, in a process of its own. */
  readonly start?: (settings: Settings) => Promise<Pick<RunningServer, 'url' | 'stop'>>;
  readonly say?: (text: string) => void;
};

export type Failover = {
  /** For this long before the kill nothing was sent to the standby. */
  readonly lagMs: number;
  readonly promotionMs: number;
  /** From the promotion to the first acknowledged write. */
  readonly foundMs: number;
  /** From the kill to the first write, and list, that was requested after it and acknowledged. */
  readonly outageMs: number;
  readonly listOutageMs: number;
  readonly lost: number;
};
export type FailoverReport = {
  readonly standby: StandbyMode;
  readonly failovers: readonly Failover[];
  readonly writes: WriteFigures;
  readonly lists: ListFigures & ReplicaCounts;
  readonly findings: readonly Finding[];
};

/** What a lagging network does to an asynchronous standby; every second failover, so that both cases are seen. */
const LAG_MS = 200;
const MAX_OUTAGE_MS = 60_000;
const ANSWER_INTERVAL_MS = 50;

/** Kills the primary and promotes its standby again and again under load, and compares what was acknowledged. */
export async function rehearseFailovers(plan: FailoverPlan): Promise<FailoverReport> {
  const { cluster, times, say = () => {} } = plan;
  const { standbyMode: mode } = cluster;
  const { start = (settings: Settings) => startServer(THIS_TREE, settings, isHealthy) } = plan;
  await using running = new AsyncDisposableStack();
  const startWith = async (databaseUrl: string) => {
    const metricsPort = await freePort();
    const server = await start({
      DATABASE_URL: databaseUrl,
      METRICS_PORT: String(metricsPort),
      CADASTRE_HOME: '/nonexistent',
      DATABASE_REPLICA_URL: cluster.url.replace('=read-write', '=prefer-standby'),
      RATE_LIMIT_PER_MINUTE: '1000000',
      MAX_REQUESTS_PER_ADDRESS: '1000',
      SHUTDOWN_DELAY_MS: '0',
    });
    running.defer(async () => void (await server.stop()));
    return { url: server.url, metrics: `http://127.0.0.1:${metricsPort}/metrics` };
  };
  const observed = cluster.standby;
  if (observed === undefined) throw new Error('a failover needs a standby');
  const [one, two, alone] = await Promise.all(
    [cluster.url, cluster.url, cluster.urlOf(observed)].map(startWith),
  );
  const servers = [one, two].filter((server) => server !== undefined);
  const readCounts = () => readReplicaCounts(servers.map(({ metrics }) => metrics));
  const unready: Finding[] = [];
  const checkReady = async () =>
    unready.push(...(await checkReadiness(`${alone?.url}/ready`, cluster.standby === observed)));
  await checkReady();
  const load = new FailoverLoad(
    servers.map(({ url }) => url),
    plan.writers,
    plan.readers,
  );
  running.defer(() => load.stop());
  const pauses = new ReplayPauses(cluster);
  running.defer(() => pauses.stop());
  const done: (FailoverTimes & { readonly lagMs: number })[] = [];
  while (done.length < times) {
    unready.push(...(await checkStandbyAnswers(readCounts)));
    await sleep(plan.restMs);
    const lagMs = mode === 'async' && (times - done.length) % 2 === 1 ? LAG_MS : 0;
    const failover = await cluster.promoteStandby(lagMs);
    if (failover === undefined) throw new Error('the standby does not follow the primary');
    done.push({ ...failover, lagMs });
    await untilAnswered(load, failover.goneAt);
    if (done.length === times) {
      await sleep(plan.restMs);
      await load.stop();
      await pauses.stop();
    }
    await cluster.makeStandby();
    await checkReady();
    say(`${mode}: failover ${done.length} of ${times}`);
  }
  const counts = await readCounts();
  const audited = await cluster.withOwner((db) => auditFailovers(db, mode, load, done));
  return reportOf(mode, load, done, audited, counts, unready);
}

function reportOf(
  standby: StandbyMode,
  { journal, lists }: FailoverLoad,
  done: readonly (FailoverTimes & { readonly lagMs: number })[],
  audited: Audited,
  counts: ReplicaCounts,
  unready: readonly Finding[],
): FailoverReport {
  const written = journal.intents
    .flatMap(({ attempts }) => attempts)
    .filter(({ outcome }) => outcome === 'done');
  const listed = lists.filter((list) => list.listed !== undefined);
  // With a synchronous standby nothing is lost, so no valid request may be refused.
  const refused = standby === 'sync' ? audited.writes.refused : 0;
  return {
    standby,
    failovers: done.map(({ lagMs, killedAt, goneAt, promotedAt }, index) => ({
      lagMs,
      promotionMs: promotedAt - goneAt,
      lost: audited.lostBy[index] ?? 0,
      foundMs: firstAfter(goneAt, written) - promotedAt,
      outageMs: firstAfter(goneAt, written) - killedAt,
      listOutageMs: firstAfter(goneAt, listed) - killedAt,
    })),
    writes: audited.writes,
    lists: { ...audited.lists, ...counts },
    findings: [
      ...audited.findings,
      ...unready,
      ...(refused > 0
        ? [{ finding: 'writes were refused', subject: 'all writers', expected: '0', found: String(refused) }]
        : []),
    ],
  };
}

async function untilAnswered(load: FailoverLoad, moment: number): Promise<void> {
  const deadline = performance.now() + MAX_OUTAGE_MS;
  while (!load.hasAnsweredSince(moment)) {
    if (performance.now() > deadline) throw new Error('after the failover nothing is answered');
    await sleep(ANSWER_INTERVAL_MS);
  }
}

/** When the first of those that were sent after a moment was answered. */
const firstAfter = (
  moment: number,
  answered: readonly { readonly sentAt: number; readonly endedAt: number }[],
): number => Math.min(...answered.filter(({ sentAt }) => sentAt > moment).map(({ endedAt }) => endedAt));

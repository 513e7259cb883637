import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '../../src/ledger/check-ledger.ts';
import { samplesAt } from '../../test/support/metrics.ts';

/** How many statements of lists a standby answered, was behind for, or was not available for. */
export type ReplicaCounts = {
  readonly replica: number;
  readonly behind: number;
  readonly unavailable: number;
};

const READY_TIMEOUT_MS = 10_000;
const READY_INTERVAL_MS = 50;

/** A server whose only address leads to a standby says so and is not ready; when it was promoted, it is. */
export async function checkReadiness(url: string, isStandby: boolean): Promise<Finding[]> {
  const expected = isStandby ? '503 standby true' : '200 standby false';
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    const found = await fetch(url, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) }).then(
      async (reply) => `${reply.status} standby ${((await reply.json()) as { standby?: boolean }).standby}`,
      String,
    );
    if (found === expected) return [];
    if (performance.now() > deadline)
      return [{ finding: 'a server is not as ready as its database', subject: url, expected, found }];
    await sleep(READY_INTERVAL_MS);
  }
}

/** A new standby answers lists without a restart of the servers. */
export async function checkStandbyAnswers(readCounts: () => Promise<ReplicaCounts>): Promise<Finding[]> {
  const { replica: before } = await readCounts();
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while ((await readCounts()).replica === before) {
    if (performance.now() > deadline)
      return [
        { finding: 'the standby answers no list', subject: 'all lists', expected: 'some', found: 'none' },
      ];
    await sleep(READY_INTERVAL_MS);
  }
  return [];
}

function sumOf(counts: readonly ReplicaCounts[]): ReplicaCounts {
  const sum = (name: keyof ReplicaCounts) => counts.reduce((total, each) => total + each[name], 0);
  return { replica: sum('replica'), behind: sum('behind'), unavailable: sum('unavailable') };
}

async function readReplicaCountsAt(metrics: string): Promise<ReplicaCounts> {
  const samples = await samplesAt(metrics);
  const count = (outcome: string) => samples.get(`cadastre_replica_lists_total{outcome="${outcome}"}`) ?? 0;
  return { replica: count('replica'), behind: count('behind'), unavailable: count('unavailable') };
}

export const readReplicaCounts = async (metrics: readonly string[]): Promise<ReplicaCounts> =>
  sumOf(await Promise.all(metrics.map(readReplicaCountsAt)));

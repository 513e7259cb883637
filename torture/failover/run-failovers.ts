import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { seedDatabaseWithin } from '../../src/app/seed.ts';
import { migrate } from '../../src/platform/migrations/migrate.ts';
import { ee } from '../../src/policy/ee.ts';
import { quicklyHashedSeedLogins } from '../../test/support/quick-passwords.ts';
import { Cluster, type StandbyMode } from '../database/cluster.ts';
import { type FailoverReport, rehearseFailovers } from './rehearse-failovers.ts';

const WRITERS = 16;
const READERS = 4;
const REST_MS = 2_000;

/** npm run torture -- --failover: a cluster of its own for each kind of standby. True where nothing is wrong. */
export async function runFailovers(
  home: string,
  { times, standbys }: { readonly times: number; readonly standbys: readonly StandbyMode[] },
  say: (text: string) => void,
): Promise<boolean> {
  if (process.platform !== 'linux')
    throw new Error('--failover needs Linux: the processes of PostgreSQL are found in /proc');
  let isClean = true;
  for (const standby of standbys) {
    say(`${standby}: ${times} failovers under ${WRITERS} writers`);
    const report = await rehearse(path.join(home, standby), standby, times, say);
    for (const line of linesOf(report)) console.log(line);
    isClean &&= report.findings.length === 0;
  }
  if (isClean) rmSync(home, { recursive: true, force: true });
  else say(`kept for a look: ${home}`);
  return isClean;
}

async function rehearse(
  home: string,
  standby: StandbyMode,
  times: number,
  say: (text: string) => void,
): Promise<FailoverReport> {
  mkdirSync(home, { mode: 0o711 });
  const cluster = await Cluster.open(home, { addressMode: 'hosts', hasStandby: true, standbyMode: standby });
  const stop = () => cluster.close(false).finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    const logins = await quicklyHashedSeedLogins();
    await cluster.withOwner(async (db) => {
      await migrate(db, 'production', new Date());
      await db.begin((transaction) => seedDatabaseWithin(transaction, ee, new Date(), logins));
    });
    return await rehearseFailovers({
      cluster,
      times,
      say,
      writers: WRITERS,
      readers: READERS,
      restMs: REST_MS,
    });
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
    await cluster.close(false);
  }
}

const TITLES = ['', 'lag', 'promotion', 'found after', 'writes after', 'lists after', 'lost'];
const WIDTHS = [2, 8, 11, 13, 14, 13, 6];

function linesOf({ standby, failovers, writes, lists, findings }: FailoverReport): string[] {
  const { acknowledged, unknown, refused, lost, doubled } = writes;
  return [
    `${standby === 'sync' ? 'synchronous' : 'asynchronous'} standby, ${failovers.length} failovers`,
    TITLES.map((title, column) => title.padStart(WIDTHS[column] ?? 0)).join(''),
    ...failovers.map(({ lagMs, promotionMs, foundMs, outageMs, listOutageMs, lost: own }, index) =>
      [`${index + 1}`, ...[lagMs, promotionMs, foundMs, outageMs, listOutageMs].map(seconds), String(own)]
        .map((cell, column) => cell.padStart(WIDTHS[column] ?? 0))
        .join(''),
    ),
    `promotion: ${spreadOf(failovers.map(({ promotionMs }) => promotionMs))}`,
    `from the promotion to the first acknowledged write: ${spreadOf(failovers.map(({ foundMs }) => foundMs))}`,
    `outage of writes, from the kill to the first acknowledged one: ${spreadOf(failovers.map(({ outageMs }) => outageMs))}`,
    `outage of lists: ${spreadOf(failovers.map(({ listOutageMs }) => listOutageMs))}`,
    `writes: ${acknowledged} acknowledged, ${unknown} of unknown outcome, ${refused} refused; ${lost} lost, ${doubled} doubled`,
    ...(standby === 'async' && lost === 0 ? ['nothing was lost this time; by design it can be'] : []),
    `lists: ${lists.answered} answered, ${lists.failed} failed; ${lists.missed} lacked an acknowledged write; ` +
      `standbys answered ${lists.replica} statements, were behind for ${lists.behind} and not available for ${lists.unavailable}`,
    `${findings.length} findings${standby === 'async' ? ', not counting what was lost' : ''}`,
    ...findings
      .slice(0, 50)
      .map(
        ({ finding, subject, expected, found }) =>
          `${finding}: ${subject}\n  expected ${expected}\n  found    ${found}`,
      ),
    '',
  ];
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

function spreadOf(all: readonly number[]): string {
  const sorted = all.toSorted((one, other) => one - other);
  const at = (index: number) => sorted[index] ?? 0;
  const last = sorted.length - 1;
  const median = (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2;
  return `${seconds(at(0))} to ${seconds(at(last))}, median ${seconds(median)}`;
}

import { drive, type Load, type Measured } from './client.ts';
import { allProcessorTime, familyProcessorTime, processorTime } from './machine.ts';
import type { Server } from './servers.ts';

export type Round = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly serverMicros: number | undefined;
  readonly databaseMicros: number | undefined;
  /** How many processors were busy with something else meanwhile. */
  readonly elsewhere: number | undefined;
};
export type Source = {
  readonly name: string;
  readonly sockets: number;
  readonly seconds: number;
  readonly next: () => Buffer;
};
type Driver = (load: Load) => Promise<Measured>;

/** Drives a server for so long; what does not succeed ends the run. */
export async function runRound(server: Server, source: Source, driver: Driver = drive): Promise<Round> {
  const { pid, databasePid, port, identity, eppLogin } = server;
  const times = () => ({
    server: processorTime(pid),
    database: databasePid === undefined ? undefined : familyProcessorTime(databasePid),
    client: processorTime(process.pid),
    all: allProcessorTime(),
    clock: performance.now() / 1000,
  });
  let before = times();
  // Handshakes and logins are not what is measured.
  const opened = () => {
    before = times();
  };
  const load = { port, identity, eppLogin, opened, ...source };
  const measured = refuseFailures(source.name, await driver(load));
  const after = times();
  const spent = (who: keyof typeof before) => (after[who] ?? Number.NaN) - (before[who] ?? Number.NaN);
  const micros = (who: 'server' | 'database') => known((spent(who) * 1e6) / measured.requests);
  const own = spent('server') + spent('client') + (databasePid === undefined ? 0 : spent('database'));
  const { perSecond, latencies } = measured;
  return {
    perSecond,
    p50: latencies.quantile(0.5),
    p99: latencies.quantile(0.99),
    serverMicros: micros('server'),
    databaseMicros: micros('database'),
    elsewhere: known((spent('all') - own) / spent('clock')),
  };
}

const known = (figure: number): number | undefined => (Number.isNaN(figure) ? undefined : figure);

function refuseFailures(name: string, measured: Measured): Measured {
  if (measured.firstFailure === undefined) return measured;
  const counts = [...measured.statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  throw new Error(`${name} did not always succeed (${counts}); the first failure:\n${measured.firstFailure}`);
}

/** Microseconds of server and database together per request. */
export const costOf = ({
  serverMicros = Number.NaN,
  databaseMicros = Number.NaN,
}: Partial<Pick<Round, 'serverMicros' | 'databaseMicros'>>): number => serverMicros + databaseMicros;

/** The round whose figure is in the middle. */
export function median(rounds: readonly Round[], figure: (round: Round) => number): Round {
  const middle = rounds.toSorted((one, other) => figure(one) - figure(other))[rounds.length >> 1];
  if (!middle) throw new Error('no rounds');
  return middle;
}

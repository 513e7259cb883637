import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ask, drive, type Measured } from './client.ts';
import type { FloorAnswer } from './floor.ts';
import { allProcessorTime, familyProcessorTime, processorTime } from './machine.ts';
import type { Operation } from './operations.ts';
import type { World } from './world.ts';

export const SOCKETS = 16;
const ROUNDS = 3;
const WARM_UP_SECONDS = 1;

export type Product = {
  readonly port: number;
  readonly pid: number;
  readonly databasePid: number | undefined;
};
export type Round = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly serverMicros: number | undefined;
  readonly databaseMicros: number | undefined;
  /** How many processors were busy with something else meanwhile. */
  readonly elsewhere: number | undefined;
};
export type Result = {
  readonly operation: string;
  readonly floor: Round;
  readonly product: Round;
  readonly share: number;
  /** The worst of all rounds: figures of a machine that had other work say little. */
  readonly elsewhere: number;
};

/** A server that does nothing but answer, to measure what the machine and the client allow at most. */
export class Floor {
  readonly #child: ChildProcess;
  readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  static async start(): Promise<Floor> {
    const child = fork(fileURLToPath(new URL('./floor.ts', import.meta.url)));
    const [port] = await once(child, 'message');
    return new Floor(child, port);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async answerWith(answer: FloorAnswer): Promise<void> {
    this.#child.send(answer);
    await once(this.#child, 'message');
  }

  stop(): void {
    this.#child.kill();
  }
}

/** Floor and product in turns, so that a slow minute of the machine hits both; the median round counts. */
export async function measure(
  { name, requests }: Operation,
  world: World,
  product: Product,
  floor: Floor,
  seconds: number,
  progress: (text: string) => void,
): Promise<Result> {
  const [nextForFloor, next] = [requests(world), requests(world)];
  const { status, ...sample } = await ask(product.port, next());
  if (status !== 200 && status !== 201) throw new Error(`${name} answers ${status}: ${sample.body}`);
  await floor.answerWith(sample);
  const floors: Round[] = [];
  const products: Round[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    floors.push(await runRound(name, floor.port, nextForFloor, seconds, floor.pid));
    products.push(await runRound(name, product.port, next, seconds, product.pid, product.databasePid));
    const [bare, ours] = [floors.at(-1)?.perSecond ?? 0, products.at(-1)?.perSecond ?? 0];
    progress(`${name}, round ${round}: floor ${Math.round(bare)}/s, product ${Math.round(ours)}/s`);
  }
  const [bare, ours] = [median(floors), median(products)];
  const elsewhere = Math.max(...[...floors, ...products].map((round) => round.elsewhere ?? 0));
  return { operation: name, floor: bare, product: ours, share: ours.perSecond / bare.perSecond, elsewhere };
}

async function runRound(
  name: string,
  port: number,
  next: () => Buffer,
  seconds: number,
  pid: number | undefined,
  databasePid?: number,
): Promise<Round> {
  refuseFailures(name, await drive({ port, sockets: SOCKETS, seconds: WARM_UP_SECONDS, next }));
  const times = () => ({
    server: pid === undefined ? undefined : processorTime(pid),
    database: databasePid === undefined ? undefined : familyProcessorTime(databasePid),
    client: processorTime(process.pid),
    all: allProcessorTime(),
    clock: performance.now() / 1000,
  });
  const before = times();
  const measured = refuseFailures(name, await drive({ port, sockets: SOCKETS, seconds, next }));
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

function median(rounds: readonly Round[]): Round {
  const middle = rounds.toSorted((one, other) => one.perSecond - other.perSecond)[rounds.length >> 1];
  if (!middle) throw new Error('no rounds');
  return middle;
}

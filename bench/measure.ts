import { driveAt, type Load } from './client.ts';
import { ask } from './line.ts';
import type { Operation } from './operation.ts';
import { isSuccess } from './protocol.ts';
import { median, type Round, runRound } from './round.ts';
import type { Pair } from './servers.ts';
import type { World } from './world.ts';

export const SOCKETS = 16;
const ROUNDS = 3;
const MAX_WARM_UP_SECONDS = 1;

export type Result = {
  readonly operation: string;
  readonly kind: Operation['kind'];
  /** For a command of EPP the call that stands in the place of the baseline. */
  readonly restCall: string | undefined;
  readonly sockets: number;
  readonly baseline: Round;
  readonly product: Round;
  readonly share: number;
  /** As many requests a second as half of what it can do, sent when they are due and not when it has time. */
  readonly atHalf: Round;
  /** The baseline at the same rate: a machine that pauses lets both wait. */
  readonly baselineAtHalf: Round;
  /** The worst of all rounds: figures of a machine that had other work say little. */
  readonly elsewhere: number;
};

/** Baseline and product in turns, so that a slow minute of the machine hits both; the median round counts. */
export async function measure(
  { name, kind, requests, rest, sockets = SOCKETS }: Operation,
  world: World,
  { baseline, product }: Pair,
  seconds: number,
): Promise<Result> {
  const [nextForBaseline, next] = [(rest?.requests ?? requests)(world), requests(world)];
  const { status, ...sample } = await ask(product, next());
  if (!isSuccess(status)) throw new Error(`${name} answers ${status}: ${sample.body}`);
  await baseline.answerWith?.(sample);
  const roundOf = {
    baseline: (length: number) =>
      runRound(baseline.server, { name, sockets, next: nextForBaseline, seconds: length }),
    product: (length: number) => runRound(product, { name, sockets, next, seconds: length }),
  };
  const warmUp = Math.min(seconds, MAX_WARM_UP_SECONDS);
  await roundOf.baseline(warmUp);
  await roundOf.product(warmUp);
  const baselines: Round[] = [];
  const products: Round[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    baselines.push(await roundOf.baseline(seconds));
    products.push(await roundOf.product(seconds));
  }
  const [bare, ours] = [baselines, products].map((rounds) => median(rounds, ({ perSecond }) => perSecond));
  if (!bare || !ours) throw new Error('nothing was measured');
  const half = (load: Load) => driveAt({ ...load, perSecond: ours.perSecond / 2 });
  const forBaseline = { name, sockets, next: nextForBaseline, seconds };
  const baselinesAtHalf: Round[] = [];
  const productsAtHalf: Round[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    productsAtHalf.push(await runRound(product, { name, sockets, next, seconds }, half));
    baselinesAtHalf.push(await runRound(baseline.server, forBaseline, half));
  }
  const [atHalf, baselineAtHalf] = [productsAtHalf, baselinesAtHalf].map((all) =>
    median(all, ({ p99 }) => p99),
  );
  if (!atHalf || !baselineAtHalf) throw new Error('nothing was measured at half load');
  const rounds = [...baselines, ...products, ...productsAtHalf, ...baselinesAtHalf];
  const elsewhere = Math.max(...rounds.map((round) => round.elsewhere ?? 0));
  const share = ours.perSecond / bare.perSecond;
  return {
    operation: name,
    kind,
    restCall: rest?.call,
    sockets,
    baseline: bare,
    product: ours,
    share,
    atHalf,
    baselineAtHalf,
    elsewhere,
  };
}

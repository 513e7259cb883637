import { ask, encode } from '../line.ts';
import { memoryOf } from '../machine.ts';
import { SOCKETS } from '../measure.ts';
import type { Operation } from '../operation.ts';
import type { Bar } from '../progress.ts';
import { isSuccess } from '../protocol.ts';
import { disturbance, machineLine } from '../report.ts';
import { read } from '../requests.ts';
import { type Round, runRound } from '../round.ts';
import { asMarkdown, fixed, megabytes, type Table } from '../tables.ts';
import { type Checkout, startCheckout } from './checkout.ts';
import { type Ratio, ratioOf, verdict } from './ratio.ts';

export type Quick = {
  readonly folders: readonly [string, string];
  readonly operations: readonly Operation[];
  readonly rounds: number;
  readonly seconds: number;
  /** For so long each operation runs beforehand: V8 compiles meanwhile, which is no cost of a request. */
  readonly warmUp: number;
  readonly domains: number;
};
type Compared = {
  readonly operation: string;
  /** The median rounds of A and of B. */
  readonly rates: readonly [number, number];
  readonly costs: readonly [number, number];
  readonly rate: Ratio;
  readonly cost: Ratio;
  readonly elsewhere: number;
};
type Skipped = { readonly operation: string; readonly reason: string; readonly failed: boolean };

const FINITE_WARM_UP_SECONDS = 0.5;
const UNKNOWN_CALL_STATUSES = [404, 405, 501];
const SIDES = ['A', 'B'] as const;

/** Drives two checkouts in turns and prints how B compares with A; tells what failed, which no ratio is. */
export async function runQuick(quick: Quick, bar: Bar): Promise<readonly string[]> {
  const { folders, operations, rounds, seconds, domains } = quick;
  bar.say(`starting two products and loading ${domains} domains into each`);
  const order = { domains, seconds: Math.ceil((rounds * seconds) / 3) };
  const started = await Promise.allSettled(folders.map((folder) => startCheckout(folder, order)));
  const checkouts = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    const [a, b] = checkouts;
    if (!a || !b) return started.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    const results: (Compared | Skipped)[] = [];
    for (const operation of operations) {
      bar.show(operation.name, results.length, operations.length);
      results.push(await compare(operation, [a, b], quick));
    }
    bar.show('done', operations.length, operations.length);
    return tell(results, [a, b], quick);
  } finally {
    await Promise.all(checkouts.map((checkout) => checkout.stop()));
  }
}

/** What fails ends this operation alone: the ratios of the others stand. */
async function compare(
  operation: Operation,
  [a, b]: readonly [Checkout, Checkout],
  { rounds, seconds, warmUp }: Quick,
): Promise<Compared | Skipped> {
  const { name, isFinite: comesToAnEnd = false } = operation;
  try {
    const [runA, runB] = [await prepare(operation, a), await prepare(operation, b)];
    if (typeof runA !== 'function') return { operation: name, ...runA, reason: `A ${runA.reason}` };
    if (typeof runB !== 'function') return { operation: name, ...runB, reason: `B ${runB.reason}` };
    for (const run of [runA, runB])
      await run(comesToAnEnd ? Math.min(FINITE_WARM_UP_SECONDS, warmUp) : warmUp);
    const pairs: [Round, Round][] = [];
    while (pairs.length < rounds) pairs.push([await runA(seconds), await runB(seconds)]);
    return comparedOf(name, pairs);
  } catch (error) {
    return { operation: name, reason: error instanceof Error ? error.message : String(error), failed: true };
  }
}

/** Makes the rounds of one checkout, where one request by itself shows that it has the operation. */
async function prepare(
  { name, requests, secure, rest, sockets = SOCKETS }: Operation,
  checkout: Checkout,
): Promise<((seconds: number) => Promise<Round>) | Omit<Skipped, 'operation'>> {
  const server = rest
    ? (checkout.epp ?? { reason: 'it has no EPP' })
    : secure
      ? checkout.secure
      : checkout.server;
  if ('reason' in server) return { reason: `does not start over TLS: ${server.reason}`, failed: false };
  await logIn(checkout);
  const next = requests(checkout.world);
  const { status, body } = await ask(server, next());
  if (!isSuccess(status))
    return {
      reason: `answers ${status}: ${body.slice(0, 200)}`,
      failed: !UNKNOWN_CALL_STATUSES.includes(status),
    };
  return (seconds) => runRound(server, { name, sockets, next, seconds });
}

/** Every password is verified before the measurement: it costs as much as hundreds of reads. */
async function logIn({ server, world: { alpha, others } }: Checkout): Promise<void> {
  for (const registrar of [alpha, ...others]) await ask(server, encode(read(registrar, '/accounts/balance')));
}

const costOf = ({ serverMicros = Number.NaN, databaseMicros = 0 }: Round) => serverMicros + databaseMicros;
const rateOf = ({ perSecond }: Round) => perSecond;

function comparedOf(operation: string, pairs: readonly (readonly [Round, Round])[]): Compared {
  const middles = (figure: (round: Round) => number): [number, number] => [
    ratioOf(pairs.map(([a]) => figure(a))).middle,
    ratioOf(pairs.map(([, b]) => figure(b))).middle,
  ];
  const ratio = (figure: (round: Round) => number) => ratioOf(pairs.map(([a, b]) => figure(b) / figure(a)));
  return {
    operation,
    rates: middles(rateOf),
    costs: middles(costOf),
    rate: ratio(rateOf),
    cost: ratio(costOf),
    elsewhere: Math.max(...pairs.flat().map((round) => round.elsewhere ?? 0)),
  };
}

const HEAD = ['operation', 'A/s', 'B/s', 'B to A', 'spread', '', 'A µs', 'B µs', 'B to A', 'spread', ''];
const cells = ({ middle, low, high }: Ratio) =>
  Number.isNaN(middle) ? ['', ''] : [middle.toFixed(2), `${low.toFixed(2)} to ${high.toFixed(2)}`];

function rowOf({ operation, rates, costs, rate, cost }: Compared): string[] {
  return [
    operation,
    ...rates.map((figure) => fixed(figure)),
    ...cells(rate),
    verdict(rate, { below: 'slower', above: 'faster' }),
    ...costs.map((figure) => (Number.isNaN(figure) ? '' : fixed(figure))),
    ...cells(cost),
    verdict(cost, { below: 'cheaper', above: 'dearer' }),
  ];
}

function tell(
  results: readonly (Compared | Skipped)[],
  checkouts: readonly [Checkout, Checkout],
  { rounds, seconds, domains }: Quick,
): string[] {
  const compared = results.filter((result) => 'rate' in result);
  const skipped = results.filter((result) => 'reason' in result);
  const table: Table = [HEAD, ...compared.map(rowOf)];
  const peaks = checkouts.map(({ server }) => memoryOf(server.pid)?.peak);
  const disturbed = disturbance(compared);
  const page = [
    checkouts.map(({ root }, index) => `- ${SIDES[index]}: ${root}`).join('\n'),
    `${machineLine()}; ${domains} domains each, ${rounds} pairs of rounds of ${seconds} s in turns; µs are processor time of server and database per request.`,
    ...(disturbed === undefined ? [] : [disturbed]),
    ...(compared.length > 0 ? [asMarkdown(table)] : []),
    ...(peaks.includes(undefined)
      ? []
      : [
          `Memory of the serving process at the most: ${peaks.map((peak) => megabytes(peak ?? 0)).join(', ')}.`,
        ]),
    ...skipped.map(({ operation, reason }) => `Skipped: ${operation}: ${reason}`),
  ];
  console.log(page.join('\n\n'));
  return skipped.flatMap(({ operation, failed }) => (failed ? [`${operation} failed`] : []));
}

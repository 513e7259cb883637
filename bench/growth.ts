import { machineFacts } from './machine.ts';
import { SOCKETS } from './measure.ts';
import type { Operation } from './operation.ts';
import type { Bar } from './progress.ts';
import { disturbance, machineLine, write, writeJson } from './report.ts';
import { costOf, median, type Round, runRound } from './round.ts';
import { startProduct } from './servers.ts';
import { aligned, asMarkdown, fixed, type Table } from './tables.ts';
import { MAX_GROWTH } from './targets.ts';
import { country, loadWorld } from './world.ts';

const ROUNDS = 3;
const MAX_WARM_UP_SECONDS = 1;

/** What one request costs in microseconds of processor time, server and database together. */
type Cost = {
  readonly operation: string;
  readonly domains: number;
  readonly micros: number;
  readonly elsewhere: number;
};

/** The cost of each operation on registries of different sizes, and whatever grows by more than it may. */
export async function runGrowth(
  sizes: readonly number[],
  operations: readonly Operation[],
  { seconds, whole }: { readonly seconds: number; readonly whole: boolean },
  bar: Bar,
): Promise<readonly string[]> {
  // What is read comes first, before others have written.
  const ordered = operations
    .filter(({ sockets, secure }) => sockets === undefined && !secure)
    .toSorted((one, other) => one.kind.localeCompare(other.kind));
  const costs: Cost[] = [];
  for (const domains of sizes) costs.push(...(await costsAt(domains, ordered, seconds, bar)));
  const table = tableOf(sizes, ordered, costs);
  console.log(aligned(table));
  const missed = ordered.flatMap(({ name }) => {
    const growth = growthOf(sizes, name, costs);
    return growth > MAX_GROWTH
      ? [
          `${name} costs ${growth.toFixed(2)} times as much, and may cost ${MAX_GROWTH.toFixed(2)} times as much`,
        ]
      : [];
  });
  const disturbed = disturbance(costs);
  if (disturbed !== undefined) bar.say(disturbed);
  const page = [
    '# Growth',
    'Made by `npm run bench -- --growth`; [bench/notes/measuring.md](notes/measuring.md) tells how to read it.',
    `${machineLine()}; 200 registrars, 3 nameservers and 10 rows of history for each domain, ${SOCKETS} connections, the median of three rounds of ${seconds} s.`,
    ...(disturbed === undefined ? [] : [disturbed]),
    asMarkdown(table),
    ...(missed.length > 0 ? [missed.map((line) => `- ${line}`).join('\n')] : []),
  ];
  if (!whole) return missed;
  write('growth.md', `${page.join('\n\n')}\n`);
  writeJson('growth.json', { machine: machineFacts(), secondsPerRound: seconds, costs });
  return missed;
}

async function costsAt(
  domains: number,
  operations: readonly Operation[],
  seconds: number,
  bar: Bar,
): Promise<Cost[]> {
  bar.say(`a registry of ${domains} domains`);
  const product = await startProduct();
  try {
    const world = await loadWorld(product.database, country(domains), bar);
    const costs: Cost[] = [];
    for (const { name, requests } of operations) {
      bar.show(name, costs.length, operations.length);
      const source = { name, sockets: SOCKETS, next: requests(world) };
      await runRound(product, { ...source, seconds: Math.min(seconds, MAX_WARM_UP_SECONDS) });
      const rounds: Round[] = [];
      for (let round = 1; round <= ROUNDS; round++)
        rounds.push(await runRound(product, { ...source, seconds }));
      const elsewhere = Math.max(...rounds.map((round) => round.elsewhere ?? 0));
      costs.push({ operation: name, domains, micros: costOf(median(rounds, costOf)), elsewhere });
    }
    return costs;
  } finally {
    await product.stop();
  }
}

const costAt = (costs: readonly Cost[], operation: string, domains: number | undefined) =>
  costs.find((cost) => cost.operation === operation && cost.domains === domains)?.micros ?? Number.NaN;

/** From the smallest registry to the largest. */
const growthOf = (sizes: readonly number[], operation: string, costs: readonly Cost[]) =>
  costAt(costs, operation, sizes.at(-1)) / costAt(costs, operation, sizes[0]);

const tableOf = (
  sizes: readonly number[],
  operations: readonly Operation[],
  costs: readonly Cost[],
): Table => [
  ['operation', ...sizes.map((size) => `µs at ${size.toLocaleString('en')}`), 'times', 'at most'],
  ...operations.map(({ name }) => [
    name,
    ...sizes.map((size) => fixed(costAt(costs, name, size))),
    growthOf(sizes, name, costs).toFixed(2),
    MAX_GROWTH.toFixed(2),
  ]),
];

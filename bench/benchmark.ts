import { memoryOf } from './machine.ts';
import { measure } from './measure.ts';
import type { Operation } from './operation.ts';
import type { Bar } from './progress.ts';
import { disturbance, misses, printed, type Row, writeReport } from './report.ts';
import { startSecurePair } from './secure-pair.ts';
import { Baseline, startProduct } from './servers.ts';
import { measureSql } from './sql-baseline.ts';
import type { Figure, Work } from './work.ts';
import { fewRegistrars, loadWorld, type World } from './world.ts';

export type Benchmark = {
  readonly domains: number;
  readonly seconds: number;
  readonly operations: readonly Operation[];
  readonly works: readonly Work[];
  /** Nothing was left out: worth a report. */
  readonly whole: boolean;
};

/** Starts the product as a user would, drives it and the baselines beside it, and tells what is not as it must be. */
export async function runBenchmark(benchmark: Benchmark, bar: Bar): Promise<readonly string[]> {
  const { domains, seconds, whole } = benchmark;
  bar.say('starting the product');
  const product = await startProduct();
  const baseline = await Baseline.start();
  let secure: Awaited<ReturnType<typeof startSecurePair>> | undefined;
  try {
    const population = fewRegistrars(domains, seconds);
    const world = await loadWorld(product.database, population, bar);
    secure = await startSecurePair(product);
    const rows: Row[] = [];
    for (const operation of benchmark.operations) {
      bar.show(operation.name, rows.length, benchmark.operations.length);
      const ofEpp = operation.rest && secure.epp;
      const pair = ofEpp ?? (operation.secure ? secure : { baseline, product });
      const result = await measure(operation, world, pair, seconds);
      rows.push({ ...result, sql: await sqlOf(operation, product.database, world, seconds) });
    }
    const memory = memoryOf(product.pid)?.peak;
    const works: Figure[] = [];
    for (const work of benchmark.works) {
      bar.say(work.name);
      works.push(...(await work.run({ ...product, secure: secure.product }, world, (text) => bar.say(text))));
    }
    const found = { rows, works, memory };
    console.log(printed(found));
    const disturbed = disturbance(rows);
    if (disturbed !== undefined) bar.say(disturbed);
    const { registrars, contactsEach, shares = {} } = population;
    const contacts = registrars.reduce((sum, code) => sum + (shares[code]?.contacts ?? contactsEach), 0);
    if (whole) writeReport(found, seconds, { domains, contacts, registrars: registrars.length });
    return misses(found);
  } finally {
    baseline.stop();
    secure?.stop();
    await product.stop();
  }
}

/** Straight to the database only where it is on this machine, as the sandbox's is. */
async function sqlOf(
  { name, secure }: Operation,
  database: Awaited<ReturnType<typeof startProduct>>['database'],
  { alpha }: World,
  seconds: number,
) {
  if (secure || typeof database === 'string') return undefined;
  return measureSql(name, database, alpha, seconds);
}

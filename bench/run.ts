import { parseArgs } from 'node:util';
import { dataDirectoryOf } from '../src/platform/database/embedded/place.ts';
import { findPostmaster } from '../src/platform/database/embedded/postmaster.ts';
import { startSandboxProcess } from '../test/support/sandbox-process.ts';
import { Floor, measure, type Result } from './measure.ts';
import { operations } from './operations.ts';
import { disturbance, excesses, misses, table, worksTable, writeReport } from './report.ts';
import type { Figure } from './work.ts';
import { works } from './works.ts';
import { loadWorld, sizeOf } from './world.ts';

const HELP = `npm run bench -- [--seconds 5] [--domains 100000] [--only "GET contact;PUT contact"]
  --seconds  how long each of the rounds is measured, after one second of warm-up
  --domains  how many domains are loaded beforehand
  --only     these operations and no others; writes no report
Operations: ${[...operations, ...works].map(({ name }) => name).join('; ')}`;

const progress = (text: string) => console.error(text);

function readArguments() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '5' },
      domains: { type: 'string', default: '100000' },
      only: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const seconds = Number(values.seconds);
  if (!(seconds > 0 && seconds <= 600)) throw new Error('--seconds must be a number from 1 to 600');
  const domains = Number(values.domains);
  if (!(Number.isInteger(domains) && domains >= 10_000 && domains <= 10_000_000))
    throw new Error('--domains must be a whole number from 10000 to 10000000');
  const wanted = values.only?.split(';').map((name) => name.trim());
  const unknown = wanted?.find((name) => ![...operations, ...works].some((known) => known.name === name));
  if (unknown !== undefined) throw new Error(`there is no operation "${unknown}"\n${HELP}`);
  const isChosen = ({ name }: { name: string }) => wanted?.includes(name) ?? true;
  const chosen = { operations: operations.filter(isChosen), works: works.filter(isChosen) };
  return { seconds, domains, chosen, whole: wanted === undefined, help: values.help };
}

/** Starts the product as a user would and drives it, and the floor beside it, over HTTP. */
async function run(): Promise<number> {
  const { seconds, domains, chosen, whole, help } = readArguments();
  if (help) {
    console.log(HELP);
    return 0;
  }
  progress('starting the product');
  const sandbox = await startSandboxProcess({ env: { RATE_LIMIT_PER_MINUTE: '1000000000' } });
  const floor = await Floor.start();
  try {
    const world = await loadWorld(sandbox.database, domains, progress);
    const product = {
      port: Number(new URL(sandbox.url).port),
      pid: sandbox.pid,
      databasePid: findPostmaster(dataDirectoryOf(sandbox.home))?.pid,
    };
    const results: Result[] = [];
    for (const operation of chosen.operations)
      results.push(await measure(operation, world, product, floor, seconds, progress));
    if (results.length > 0) console.log(table(results));
    const figures: Figure[] = [];
    for (const work of chosen.works) {
      progress(work.name);
      const found = await work.run({ ...product, database: sandbox.database }, world, progress);
      for (const { what, value } of found) progress(`${value.toFixed(1)} ${what}`);
      figures.push(...found);
    }
    if (figures.length > 0) console.log(worksTable(figures));
    if (whole) writeReport(results, figures, seconds, sizeOf(domains));
    const disturbed = disturbance(results);
    if (disturbed !== undefined) console.error(disturbed);
    const missed = [...misses(results), ...excesses(figures)];
    for (const miss of missed) console.error(miss);
    return missed.length === 0 ? 0 : 1;
  } finally {
    floor.stop();
    await sandbox.stop();
  }
}

try {
  process.exitCode = await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

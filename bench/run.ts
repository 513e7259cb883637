import path from 'node:path';
import { parseArgs } from 'node:util';
import { attacks } from '../test/support/attacks/attacks.ts';
import { runBenchmark } from './benchmark.ts';
import { runGrowth } from './growth.ts';
import { AT_ONCE, runHostile } from './hostile/hostile.ts';
import { runLedger } from './ledger/run-ledger.ts';
import { operations } from './operations.ts';
import { Bar } from './progress.ts';
import { runQuick } from './quick/quick.ts';
import { runSoak } from './soak.ts';
import { runStorage } from './storage.ts';
import { runWebhooks } from './webhooks/run-webhooks.ts';
import { works } from './works.ts';
import { runZone } from './zone/run-zone.ts';

const HELP = `npm run bench -- [--seconds 5] [--domains 100000] [--only "GET contact;PUT contact"]
npm run bench -- --growth [--sizes 10000,100000,1000000] [--seconds 2] [--only …]
npm run bench -- --soak 30 [--domains 100000]
npm run bench -- --quick A B [--rounds 8] [--seconds 0.4] [--warm-up 8] [--domains 10000] [--only …]
npm run bench -- --hostile [--seconds 10] [--only "slow bodies;imports"]
npm run bench -- --storage [--domains 200000]
npm run bench -- --zone [--domains 1000000]
npm run bench -- --webhooks [--seconds 100]
npm run bench -- --ledger [--entries 10000000]
  --seconds  how long each of the rounds is measured, after one second of warm-up
  --domains  how many domains are loaded beforehand
  --only     these operations and no others; writes no report
  --growth   what each operation costs on registries of different sizes
  --soak     so many minutes of load, to see whether memory stays flat
  --quick    two checkouts in turns, and for each operation the ratio of B to A
  --hostile  what registrars notice while a hostile client tries to stop the service
  --storage  what each table and index takes on the disk; nothing is measured but sizes
  --zone     what it takes to build, transfer and follow a zone of so many delegations
  --webhooks how soon 50 endpoints have 100 events a second while ten of them fail
  --ledger   what the check of a ledger of so many entries takes
  --rounds   how many pairs of rounds, from 5 on
  --warm-up  for so many seconds an operation runs on each checkout before it is compared
Operations: ${[...operations, ...works].map(({ name }) => name).join('; ')}`;

function readArguments() {
  const { values, positionals } = parseArgs({
    options: {
      seconds: { type: 'string' },
      domains: { type: 'string' },
      only: { type: 'string' },
      growth: { type: 'boolean', default: false },
      sizes: { type: 'string', default: '10000,100000,1000000' },
      soak: { type: 'string' },
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '8' },
      'warm-up': { type: 'string', default: '8' },
      hostile: { type: 'boolean', default: false },
      storage: { type: 'boolean', default: false },
      zone: { type: 'boolean', default: false },
      webhooks: { type: 'boolean', default: false },
      ledger: { type: 'boolean', default: false },
      entries: { type: 'string', default: '10000000' },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const seconds = Number(values.seconds ?? defaultSeconds(values));
  if (!(seconds > 0 && seconds <= 600)) throw new Error('--seconds must be a number up to 600');
  const [domains, ...sizes] = [values.domains ?? defaultDomains(values), ...values.sizes.split(',')].map(
    Number,
  );
  if (domains === undefined || ![domains, ...sizes].every(isSize))
    throw new Error('--domains and --sizes must be whole numbers from 10000 to 10000000');
  const entries = Number(values.entries);
  if (!isSize(entries)) throw new Error('--entries must be a whole number from 10000 to 10000000');
  const minutes = values.soak === undefined ? undefined : Number(values.soak);
  if (minutes !== undefined && !(minutes > 0)) throw new Error('--soak must be a number of minutes');
  const rounds = Number(values.rounds);
  if (!(Number.isInteger(rounds) && rounds >= 5 && rounds <= 1_000))
    throw new Error('--rounds must be a whole number from 5 to 1000');
  const warmUp = Number(values['warm-up']);
  if (!(warmUp > 0 && warmUp <= 60)) throw new Error('--warm-up must be a number of seconds up to 60');
  const wanted = values.only?.split(';').map((name) => name.trim());
  const known = [AT_ONCE, ...[...operations, ...works, ...attacks].map(({ name }) => name)];
  const unknown = wanted?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`there is no operation "${unknown}"\n${HELP}`);
  const isChosen = ({ name }: { name: string }) => wanted?.includes(name) ?? true;
  const chosen = { operations: operations.filter(isChosen), works: works.filter(isChosen) };
  const folders = foldersOf(positionals, values.quick);
  return {
    ...values,
    seconds,
    domains,
    entries,
    sizes,
    minutes,
    rounds,
    warmUp,
    folders,
    wanted,
    chosen,
    whole: wanted === undefined,
  };
}

const defaultSeconds = ({
  quick,
  hostile,
  webhooks,
}: Record<'quick' | 'hostile' | 'webhooks', boolean>): number =>
  quick ? 0.4 : hostile ? 10 : webhooks ? 100 : 5;

const defaultDomains = ({ quick, storage, zone }: Record<'quick' | 'storage' | 'zone', boolean>): number =>
  quick ? 10_000 : storage ? 200_000 : zone ? 1_000_000 : 100_000;

const isSize = (count: number) => Number.isInteger(count) && count >= 10_000 && count <= 10_000_000;

/** Two for a comparison, none otherwise; npm runs us in the package, whichever folder it was called in. */
function foldersOf(words: readonly string[], quick: boolean): [string, string] | undefined {
  if (words.length !== (quick ? 2 : 0))
    throw new Error(quick ? '--quick needs the folders of two checkouts' : `what is "${words[0]}"?\n${HELP}`);
  const [a, b] = words.map((word) => path.resolve(process.env.INIT_CWD ?? '.', word));
  return a !== undefined && b !== undefined ? [a, b] : undefined;
}

/** What is not as it must be, whichever of them was asked for. */
async function run(): Promise<readonly string[]> {
  const asked = readArguments();
  const { seconds, domains, minutes, wanted, whole } = asked;
  const bar = new Bar();
  if (asked.help) {
    console.log(HELP);
    return [];
  }
  if (asked.folders)
    return runQuick({ ...asked, folders: asked.folders, operations: asked.chosen.operations }, bar);
  if (asked.hostile) return runHostile(seconds, bar, wanted);
  if (asked.storage) return runStorage(domains, bar);
  if (asked.zone) return runZone(domains, bar);
  if (asked.ledger) return runLedger(asked.entries, bar);
  if (asked.webhooks) return runWebhooks(seconds, bar);
  if (asked.growth) return runGrowth(asked.sizes, asked.chosen.operations, { seconds, whole }, bar);
  if (minutes === undefined) return runBenchmark({ domains, seconds, ...asked.chosen, whole }, bar);
  const mixed = operations.find(({ name }) => name === 'mixed, 16 connections');
  if (!mixed) throw new Error('there is no mixed load');
  return runSoak(minutes, domains, mixed, bar);
}

try {
  const missed = await run();
  for (const miss of missed) console.error(miss);
  process.exitCode = missed.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

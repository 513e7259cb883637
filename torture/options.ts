import { parseArgs } from 'node:util';
import type { AddressMode, StandbyMode } from './database/cluster.ts';
import { readSabotage, sabotageNames } from './sabotage/catalogue.ts';

export const HELP = `npm run torture -- [--minutes 10] [--kills 50] [--seed N] [--sabotage all] [--address hosts] [--deadline 5]
  --minutes   how long clients and saboteur are at it
  --kills     how many processes are killed meanwhile, spread over that time
  --seed      what clients and saboteur plan follows from it; how their plans meet in time does not
  --sabotage  all, or some of these, separated by commas:
${sabotageNames.map((name) => `              ${name}`).join('\n')}
  --address   how the nodes find the primary: hosts, by an address of each server in DATABASE_URL,
              or proxy, by one address that leads to whichever is the primary
  --deadline  so many seconds a request has (ANSWER_TIMEOUT_MS of the nodes); whatever it answered 503 or nothing,
              and has no key, must have no effect afterwards

npm run torture -- --failover [10] [--standby sync|async]
  --failover  how often the primary is killed under 16 writers and its standby promoted; nothing else is done
  --standby   whether commits wait for the standby; without it one run of each kind`;

const DEFAULT_FAILOVERS = '10';

export function readOptions(given: readonly string[] = process.argv.slice(2)) {
  const { values } = parseArgs({
    args: withFailovers(given),
    options: {
      failover: { type: 'string' },
      standby: { type: 'string' },
      minutes: { type: 'string', default: '10' },
      kills: { type: 'string', default: '50' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      sabotage: { type: 'string', default: 'all' },
      address: { type: 'string', default: 'hosts' },
      deadline: { type: 'string', default: '5' },
      help: { type: 'boolean', default: false },
    },
  });
  const [minutes, kills, seed] = [Number(values.minutes), Number(values.kills), Number(values.seed)];
  const deadlineMs = Number(values.deadline) * 1_000;
  if (!(minutes > 0 && minutes <= 24 * 60)) throw new Error('--minutes must be above 0 and at most a day');
  if (!(Number.isInteger(kills) && kills >= 0)) throw new Error('--kills must be a whole number');
  if (!(Number.isInteger(seed) && seed >= 0)) throw new Error('--seed must be a whole number');
  if (!(deadlineMs > 0)) throw new Error('--deadline must be a number of seconds above 0');
  if (!isAddressMode(values.address)) throw new Error('--address is hosts or proxy');
  const failovers = Number(values.failover ?? 0);
  if (values.failover !== undefined && !(Number.isInteger(failovers) && failovers > 0))
    throw new Error('--failover must be a whole number above 0');
  const { standby } = values;
  if (standby !== undefined && !isStandbyMode(standby)) throw new Error('--standby is sync or async');
  if (standby !== undefined && failovers === 0) throw new Error('--standby goes with --failover');
  const standbys: readonly StandbyMode[] = standby === undefined ? ['sync', 'async'] : [standby];
  return {
    ...(failovers > 0 && { failover: { times: failovers, standbys } }),
    plan: { minutes, kills },
    seed,
    deadlineMs,
    addressMode: values.address,
    help: values.help,
    sabotage: readSabotage(values.sabotage),
  };
}

const isAddressMode = (text: string): text is AddressMode => text === 'hosts' || text === 'proxy';
const isStandbyMode = (text: string): text is StandbyMode => text === 'sync' || text === 'async';

/** Its number may be left out, which parseArgs does not know. */
const withFailovers = (given: readonly string[]): string[] =>
  given.flatMap((word, index) =>
    word === '--failover' && !/^\d/.test(given[index + 1] ?? '') ? [word, DEFAULT_FAILOVERS] : [word],
  );

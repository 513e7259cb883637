import { dataDirectoryOf } from '../src/platform/embedded-postgres/cluster-location.ts';
import { findPostmaster } from '../src/platform/embedded-postgres/postmaster.ts';
import { openAsOwner } from '../src/platform/sql/database.ts';
import { type Population, passwordOf, populate } from '../test/performance/population.ts';
import { startSandboxProcess } from '../test/support/sandbox-process.ts';
import { encode } from './line.ts';
import { type Round, runRound } from './round.ts';
import { LIMITS, type Server } from './servers.ts';
import type { Work } from './work.ts';

const LARGE = { contacts: 300_000, domains: 500_000 };
const SMALL = { contacts: 600, domains: 1_000 };
const REGISTRY: Population = {
  registrars: ['LARGE', 'SMALL'],
  shares: { LARGE, SMALL },
  ...{ contactsEach: 0, domains: LARGE.domains + SMALL.domains, messagesEach: 0 },
};
const LISTS = {
  '200 domain names': '/domains?limit=200',
  '200 detailed domains': '/domains?limit=200&details=true',
  '200 contact codes': '/contacts?limit=200',
};
const SOCKETS = 8;
const SECONDS = 1;
const PAIRS = 7;
const MAX_RATIO = 1.33;

/** On a registry of its own: what a list costs a registrar who has five hundred times as much as another. */
export const largeRegistrar: Work = {
  name: 'lists of a registrar with 500,000 domains',
  async run(_place, _world, progress) {
    const { url, pid, home, database, stop } = await startSandboxProcess({ env: LIMITS });
    try {
      const db = openAsOwner(database);
      await populate(db, REGISTRY).finally(() => db.close());
      progress(`loaded ${LARGE.domains} domains of one registrar, and ${SMALL.domains} of another`);
      const databasePid = findPostmaster(dataDirectoryOf(home))?.pid;
      const server = { port: Number(new URL(url).port), pid, databasePid };
      const figures = [];
      for (const [list, path] of Object.entries(LISTS)) {
        const value = await ratioOf(server, path);
        const what = `times the cost of one with 1,000: ${list}`;
        figures.push({ work: this.name, what, value, most: MAX_RATIO });
      }
      return figures;
    } finally {
      await stop();
    }
  },
};

/** The median of the ratios of processor time per request, in turns. */
async function ratioOf(server: Server, path: string): Promise<number> {
  const costOf = (registrar: string) => costPerRequest(server, registrar, path);
  await costOf('LARGE');
  await costOf('SMALL');
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) ratios.push((await costOf('LARGE')) / (await costOf('SMALL')));
  return ratios.toSorted((one, other) => one - other)[PAIRS >> 1] ?? Number.NaN;
}

async function costPerRequest(server: Server, registrar: string, path: string): Promise<number> {
  const credentials = `${registrar.toLowerCase()}:${passwordOf(registrar)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const request = encode({ method: 'GET', path: `/registry/v1${path}`, authorization });
  const source = { name: path, sockets: SOCKETS, seconds: SECONDS, next: () => request };
  const { serverMicros = Number.NaN, databaseMicros = Number.NaN }: Round = await runRound(server, source);
  return serverMicros + databaseMicros;
}

import { openAsOwner } from '../src/platform/database/database.ts';
import { type Population, populate } from '../test/performance/population.ts';
import { measureConsoleLists } from './console-lists.ts';
import { encode } from './line.ts';
import { ratioOf } from './quick/ratio.ts';
import { costOf, runRound } from './round.ts';
import { type Product, startProduct } from './servers.ts';
import type { Figure, Work } from './work.ts';
import { authorizationOf, logInSomebody } from './world.ts';

const LARGE = { contacts: 300_000, domains: 500_000 };
const SMALL = { contacts: 600, domains: 1_000 };
const REGISTRY: Population = {
  registrars: ['LARGE', 'SMALL'],
  shares: { LARGE, SMALL },
  contactsEach: 0,
  domains: LARGE.domains + SMALL.domains,
  messagesEach: 0,
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

/** On a registry of its own: what a list costs a registrar who has five hundred times as much as another, and its people. */
export const largeRegistrar: Work = {
  name: 'lists of a registrar with 500,000 domains',
  async run(_place, _world, progress) {
    const product = await startProduct();
    try {
      const db = openAsOwner(product.database);
      await populate(db, REGISTRY);
      const cookie = await logInSomebody(db, 'LARGE').finally(() => db.close());
      progress(`loaded ${LARGE.domains} domains of one registrar, and ${SMALL.domains} of another`);
      const figures: Figure[] = [];
      for (const [list, path] of Object.entries(LISTS)) {
        const value = await compare(product, path);
        const what = `times the cost of one with 1,000: ${list}`;
        figures.push({ work: this.name, what, value, most: MAX_RATIO });
      }
      progress('compared the calls; the pages of the console follow');
      return [...figures, ...(await measureConsoleLists(product, cookie, this.name))];
    } finally {
      await product.stop();
    }
  },
};

/** The median of the ratios of processor time per request, in turns. */
async function compare(product: Product, path: string): Promise<number> {
  const cost = (registrar: string) => costPerRequest(product, registrar, path);
  await cost('LARGE');
  await cost('SMALL');
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) ratios.push((await cost('LARGE')) / (await cost('SMALL')));
  return ratioOf(ratios).middle;
}

async function costPerRequest(product: Product, registrar: string, path: string): Promise<number> {
  const authorization = authorizationOf(registrar);
  const request = encode({ method: 'GET', path: `/registry/v1${path}`, authorization });
  const source = { name: path, sockets: SOCKETS, seconds: SECONDS, next: () => request };
  return costOf(await runRound(product, source));
}

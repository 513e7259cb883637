import { type DomainFilterName, domainSorts } from '../src/doors/console/domains/domain-query.ts';
import { type ContactFilterName, contactOrders } from '../src/doors/console/contacts/contact-query.ts';
import { driveAt } from './client.ts';
import { encode } from './line.ts';
import { runRound } from './round.ts';
import type { Server } from './servers.ts';
import type { Figure } from './work.ts';

/** People of one registrar who work at the same time. */
const SOCKETS = 2;
const SECONDS = 2;
const MAX_MS = 300;

/** What people look for in what the population has: a few and very many results, and none. */
const DOMAIN_FILTERS: Readonly<Record<DomainFilterName, readonly string[]>> = {
  name: ['a7', 'a7*', '"c4ca4238-1.ee"', 'nowhere'],
  status: ['clientHold', 'serverHold'],
  from: ['2026-01-01'],
  to: ['2099-01-01'],
  registrant: ['LARGE:loaded-2', 'LARGE:loaded-77'],
  contact: ['LARGE:loaded-5', '"LARGE:loaded-5"'],
  nameserver: ['ns1.hoster', 'ns1.*'],
};
const CONTACT_FILTERS: Readonly<Record<ContactFilterName, readonly string[]>> = {
  name: ['person 7', 'nobody'],
  code: ['LARGE:loaded-77'],
  ident: ['60001019906'],
  email: ['loaded77@example.ee'],
};
const OTHERS = [
  '/activity',
  '/balance',
  '/balance/customers',
  '/messages',
  '/jobs',
  '/search?q=a7',
  '/search?q=loaded77%40example.ee',
];

function listsOf(
  path: string,
  sorts: readonly string[],
  filters: Readonly<Record<string, readonly string[]>>,
) {
  const queries = [
    ...sorts.map((sort) => ({ sort })),
    ...Object.entries(filters).flatMap(([name, texts]) => texts.map((text) => ({ [name]: text }))),
  ];
  return queries.map((query) => `${path}?${new URLSearchParams(query as Record<string, string>)}`);
}

const LISTS = [
  ...listsOf('/domains', domainSorts, DOMAIN_FILTERS),
  ...listsOf('/contacts', contactOrders, CONTACT_FILTERS),
  ...OTHERS,
];

/** How long each list of the console takes at half of what it can do, for somebody with this session. */
export async function measureConsoleLists(server: Server, cookie: string, work: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const list of LISTS) {
    const request = encode({ method: 'GET', path: `/console${list}`, cookie });
    const source = { name: list, sockets: SOCKETS, seconds: SECONDS, next: () => request };
    const { perSecond } = await runRound(server, source);
    const half = await runRound(server, source, (load) => driveAt({ ...load, perSecond: perSecond / 2 }));
    figures.push({ work, what: `ms at p99 of the console's ${list}`, value: half.p99, most: MAX_MS });
  }
  return figures;
}

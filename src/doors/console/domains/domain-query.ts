import { withDescending } from '../../../platform/paging/order.ts';
import { readPosition } from '../../../platform/paging/position.ts';
import type { TextPattern } from '../../../platform/paging/text-pattern.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { DomainQuery, RegistrantPattern } from '../../../registry/domains/lists/search-domains.ts';
import { type DomainStatus, storedStatuses } from '../../../registry/domains/rules/domain-statuses.ts';
import { parseIdn } from '../../../registry/names/name.ts';
import { filterDay, filterPattern } from '../filter-text.ts';
import type { PageInput, Visit } from '../console-page.ts';

/** The parameters of the list, each as it was written. */
export const domainFilters = ['name', 'status', 'from', 'to', 'registrant', 'contact', 'nameserver'] as const;

export const DOMAIN_ORDERS = withDescending({
  name: 'name',
  expire_time: 'expireTime',
  created_at: 'createdAt',
});
/** The parameter of the order, as links and bookmarks have it. */
export type DomainSort = keyof typeof DOMAIN_ORDERS;
export const domainSorts = Object.keys(DOMAIN_ORDERS) as readonly DomainSort[];
export type DomainFilterName = (typeof domainFilters)[number];
export type AskedDomains = Readonly<Record<DomainFilterName, string>> & { readonly sort: DomainSort };

export type ReadDomainQuery = {
  readonly asked: AskedDomains;
  /** Filters whose text says nothing. */
  readonly wrong: readonly DomainFilterName[];
  /** Undefined if any is wrong. */
  readonly query: DomainQuery | undefined;
};

export function readDomainQuery(
  { query }: Pick<PageInput, 'query'>,
  visit: Pick<Visit, 'may'>,
  policy: Policy,
): ReadDomainQuery {
  const sort = domainSorts.find((known) => known === query('sort')) ?? 'name';
  const texts = Object.fromEntries(domainFilters.map((name) => [name, query(name)]));
  const asked = { ...(texts as Record<DomainFilterName, string>), sort };
  const filter = {
    name: filterPattern(asked.name, storedName),
    status: statusOf(asked.status),
    expiresFrom: filterDay(asked.from, policy.timeZone),
    expiresBefore: filterDay(asked.to, policy.timeZone, 1),
    registrant: registrantPattern(filterPattern(asked.registrant), visit),
    contact: filterPattern(asked.contact),
    nameserver: filterPattern(asked.nameserver, storedHost),
  };
  const fields = {
    name: 'name',
    status: 'status',
    expiresFrom: 'from',
    expiresBefore: 'to',
    registrant: 'registrant',
    contact: 'contact',
    nameserver: 'nameserver',
  } as const satisfies Record<keyof typeof filter, DomainFilterName>;
  const wrong = (Object.keys(fields) as (keyof typeof filter)[])
    .filter((member) => filter[member] === null)
    .map((member) => fields[member]);
  if (wrong.length > 0) return { asked, wrong, query: undefined };
  const after = readPosition(query('after'), sort.endsWith('name') ? 'text' : 'time');
  const found = filter as { [Member in keyof typeof filter]: Exclude<(typeof filter)[Member], null> };
  return { asked, wrong, query: { filter: found, order: DOMAIN_ORDERS[sort], after } };
}

export const registrantPattern = <None extends undefined | null>(
  pattern: TextPattern | None,
  { may }: Pick<Visit, 'may'>,
): RegistrantPattern | None => pattern && { ...pattern, findsPartsOfIdents: may('objects') };

/** Names are stored in Unicode; one in punycode is one too. */
const storedName = (text: string): string => {
  const written = text.toLowerCase();
  return written.includes('xn--') ? (parseIdn(written)?.unicode ?? written) : written;
};

const storedHost = (text: string): string => parseIdn(text.replace(/\.$/, ''))?.unicode ?? text;

const statusOf = (text: string): DomainStatus | undefined | null =>
  text === '' ? undefined : (storedStatuses.find((known) => known === text) ?? null);

/** The parameters that lead to the same list again. */
export const askedParameters = (asked: AskedDomains): Record<string, string> =>
  Object.fromEntries(Object.entries(asked).filter(([name, text]) => text !== '' && text !== DEFAULTS[name]));
const DEFAULTS: Readonly<Record<string, string>> = { sort: 'name' };

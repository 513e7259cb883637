import type { NamedRefusal } from '../../../operations/named-refusal.ts';
import type { Policy } from '../../../policy/policy.ts';
import { refusal } from '../registrar-api-refusals.ts';
import { mapAt } from './body-paths.ts';
import { MAX_LISTED } from './calls.ts';
import { CONTACT_FILTERS, DOMAIN_FILTERS, momentOf } from './incumbent-list-filters.ts';

type Query = Readonly<Record<string, unknown>>;

type List = {
  /** How the columns of `q[s]` are called here. */
  readonly sorts: Readonly<Record<string, string>>;
  /** Without `q[s]`. */
  readonly order: string;
  readonly filters: readonly string[];
};

const LISTS: Readonly<Record<string, List>> = {
  listDomains: {
    sorts: { name: 'name', created_at: 'created_at', valid_to: 'expire_time' },
    order: 'expire_time',
    filters: DOMAIN_FILTERS,
  },
  listContacts: {
    sorts: { code: 'code', name: 'name', created_at: 'created_at' },
    order: '-created_at',
    filters: [...CONTACT_FILTERS, 'q[code_eq]'],
  },
};

/** What the incumbent takes and does not filter by. */
const IGNORED = new Set(['q[types_contains_array]']);
const IS_TIME = /_(?:g|l)teq\]$/;

/**
 * The query of a list in our parameters. A filter that the incumbent ignores is discarded; one that it does not have is
 * refused by its name, since the list would have wrong entries.
 */
export function translateListQuery(
  endpointId: string,
  query: Query,
  policy: Policy,
  { refusals, discarded }: { readonly refusals: NamedRefusal[]; readonly discarded: Set<string> },
): Query {
  const list = LISTS[endpointId];
  if (!list)
    return endpointId === 'listNotifications' ? (mapAt(query, ['limit'], cappedLimit) as Query) : query;
  const entries = Object.entries(query).map(([name, value]) => [oneOf(name), oneOf(value)] as const);
  const translated: Record<string, unknown> = { limit: String(MAX_LISTED), sort: list.order };
  const refuseFilter = (field: string, expected: string) =>
    refusals.push(refusal('wrongSyntax', { field: field.slice(0, 200), expected }));
  for (const [name, value] of entries) {
    if (!name.startsWith('q[')) {
      translated[name] = name === 'limit' ? cappedLimit(value) : value;
      continue;
    }
    if (value === '') continue;
    if (name === 'q[s]') {
      const sort = typeof value === 'string' ? sortOf(value, list.sorts) : undefined;
      if (sort !== undefined) translated.sort = sort;
      else refuseFilter(name, `one of ${Object.keys(list.sorts).join(', ')}, with asc or desc`);
    } else if (IGNORED.has(name) || (IS_TIME.test(name) && !momentOf(String(value), policy)))
      discarded.add(name);
    else if (list.filters.includes(name)) translated[name] = value;
    else refuseFilter(name, 'left out: lists cannot be filtered by it');
  }
  return translated;
}

/** `q[statuses_contains_array][]` is one value too, and of several sorts the first counts. */
function oneOf(value: string): string;
function oneOf(value: unknown): unknown;
function oneOf(value: unknown): unknown {
  if (Array.isArray(value)) return value[0];
  return typeof value === 'string' && value.startsWith('q[') && value.endsWith('[]')
    ? value.slice(0, -2)
    : value;
}

const cappedLimit = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{5,15}$/.test(value) ? String(Math.min(Number(value), MAX_LISTED)) : value;

/** `valid_to desc` as `-expire_time`. */
function sortOf(text: string, sorts: Readonly<Record<string, string>>): string | undefined {
  const [, column = '', direction = 'asc'] = /^(\w+)(?: +(asc|desc))?$/.exec(text.trim()) ?? [];
  const sort = Object.hasOwn(sorts, column) ? sorts[column] : undefined;
  return sort === undefined ? undefined : `${direction === 'desc' ? '-' : ''}${sort}`;
}

import type { Refusal } from '../../../operations/refusal.ts';
import type { Policy } from '../../../policy/policy.ts';
import { parseDomainName } from '../../../registry/names/name.ts';
import { refusal } from '../registrar-api-refusals.ts';

type Query = Readonly<Record<string, unknown>>;

/** The incumbent's lists have no limit; this is the highest of ours. */
const DEFAULT_LIMIT = '1000';

/** How the columns of `q[s]` are called here, and the order without it. */
const LISTS: Readonly<
  Record<string, { readonly sorts: Readonly<Record<string, string>>; readonly order: string }>
> = {
  listDomains: {
    sorts: { name: 'name', created_at: 'created_at', valid_to: 'expire_time' },
    order: 'expire_time',
  },
  listContacts: { sorts: { code: 'code', name: 'name', created_at: 'created_at' }, order: '-created_at' },
};
const PREFIX_EXPECTED = 'a prefix that ends in %, such as example%';

/** The query of a list in our parameters. A filter that they cannot express is refused by its name. */
export function translateListQuery(
  endpointId: string,
  query: Query,
  policy: Policy,
  refusals: Refusal[],
): Query {
  const list = LISTS[endpointId];
  if (!list) return query;
  const filters = Object.entries(query).filter(([name]) => name.startsWith('q['));
  const rest = Object.entries(query).filter(([name]) => !name.startsWith('q['));
  const translated: Record<string, unknown> = {};
  const wrong = (field: string, expected: string) =>
    refusals.push(refusal('wrongSyntax', { field: field.slice(0, 200), expected }));
  for (const [name, value] of filters) {
    if (value === '') continue;
    const isOne = typeof value === 'string';
    if (name === 'q[s]') {
      const sort = isOne ? sortOf(value, list.sorts) : undefined;
      if (sort === undefined) wrong(name, `one of ${Object.keys(list.sorts).join(', ')}, with asc or desc`);
      else translated.sort = sort;
    } else if (name === 'q[name_matches]' && endpointId === 'listDomains') {
      const prefix = isOne ? (prefixOf(value) ?? wholeName(value, policy)) : undefined;
      if (prefix === undefined) wrong(name, `${PREFIX_EXPECTED}, or a whole name`);
      else translated.q = prefix;
    } else if (name === 'q[name_matches]') {
      if (isOne && prefixOf(value) !== undefined) translated[name] = value;
      else wrong(name, PREFIX_EXPECTED);
    } else if (name === 'q[code_eq]' && endpointId === 'listContacts') translated[name] = value;
    else wrong(name, 'left out: lists cannot be filtered by it');
  }
  return { limit: DEFAULT_LIMIT, sort: list.order, ...Object.fromEntries(rest), ...translated };
}

/** `valid_to desc` as `-expire_time`. */
function sortOf(text: string, sorts: Readonly<Record<string, string>>): string | undefined {
  const [, column = '', direction = 'asc'] = /^(\w+)(?: +(asc|desc))?$/.exec(text.trim()) ?? [];
  const sort = Object.hasOwn(sorts, column) ? sorts[column] : undefined;
  return sort === undefined ? undefined : `${direction === 'desc' ? '-' : ''}${sort}`;
}

/** The text before a final %, if it is the only wildcard. */
export function prefixOf(pattern: string): string | undefined {
  const prefix = pattern.slice(0, -1);
  return pattern.endsWith('%') && prefix !== '' && !/[%_\\]/.test(prefix) ? prefix : undefined;
}

/** A whole name, which is the only one that begins like it unless a zone begins like another. */
function wholeName(text: string, policy: Policy): string | undefined {
  const name = parseDomainName(text, policy);
  const isOnly = !policy.zones.some(
    ({ origin }) => name && origin !== name.zone && origin.startsWith(name.zone),
  );
  return isOnly ? name?.unicode : undefined;
}

import { readPosition } from '../../../platform/paging/position.ts';
import { quotedText } from '../../../platform/paging/text-pattern.ts';
import type { ContactOrder, ContactSearch } from '../../../registry/contacts/search-contacts.ts';
import type { Ident } from '../../../registry/contacts/ident.ts';
import { filterPattern } from '../filter-text.ts';
import type { PageInput, Visit } from '../console-page.ts';

/** Called alike by the parameter of the list. */
export const contactOrders: readonly ContactOrder[] = ['name', 'code', '-name', '-code'];
export const contactFilters = ['name', 'code', 'ident', 'email'] as const;
export type ContactFilterName = (typeof contactFilters)[number];
export type AskedContacts = Readonly<Record<ContactFilterName, string>> & { readonly sort: ContactOrder };

export type ReadContactQuery = {
  readonly asked: AskedContacts;
  readonly wrong: readonly ContactFilterName[];
  /** Undefined if any filter is wrong. */
  readonly query: ContactSearch | undefined;
};

export function readContactQuery(
  { query }: Pick<PageInput, 'query'>,
  { may }: Pick<Visit, 'may'>,
): ReadContactQuery {
  const sort = contactOrders.find((known) => known === query('sort')) ?? 'name';
  const written = Object.fromEntries(contactFilters.map((name) => [name, query(name)]));
  const asked = { ...(written as Record<ContactFilterName, string>), sort };
  // Those to whom identifications are not shown find whole ones only: by parts they could read them, digit by digit.
  const textOf = (name: ContactFilterName) =>
    name === 'ident' && !may('objects') ? wholeValue(asked.ident) : asked[name];
  const patterns = contactFilters.map((name) => [name, filterPattern(textOf(name))] as const);
  const wrong = patterns.filter(([, pattern]) => pattern === null).map(([name]) => name);
  if (wrong.length > 0) return { asked, wrong, query: undefined };
  const filter = Object.fromEntries(patterns.map(([name, pattern]) => [name, pattern ?? undefined]));
  const after = readPosition(query('after'), 'text');
  return { asked, wrong, query: { filter, order: sort, after } };
}

const wholeValue = (text: string): string =>
  text.trim() === '' ? text : quotedText(text.trim().replace(/^"(.+)"$/s, '$1'));

/** The parameters that lead to the same list again. */
export const contactParameters = ({ sort, ...filters }: AskedContacts): Record<string, string> =>
  Object.fromEntries(
    [...Object.entries(filters), ['sort', sort === 'name' ? '' : sort] as const].filter(
      ([, text]) => text !== '',
    ),
  );

const MASK = '•••';

/** What identifies a person is shown only to those who may change contacts; organisations are public. */
export const identText = ({ ident, type, countryCode }: Ident, { may }: Pick<Visit, 'may'>): string =>
  `${type === 'org' || may('objects') ? ident : MASK} (${type}, ${countryCode})`;

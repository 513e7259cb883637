import type { FoundPage } from '../../../platform/paging/keyset-search.ts';
import { parsePattern, quotedText } from '../../../platform/paging/text-pattern.ts';
import { type FoundContactRow, findContacts } from '../../../registry/contacts/search-contacts.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import type { ConsoleParts, Visit } from '../console-page.ts';

/** A filter of a list: the parameter of its address, its text, and what was typed. */
export type Way<Filter extends string> = {
  readonly by: Filter;
  readonly text: string;
  readonly typed: string;
};
export type ContactWay = Way<'name' | 'code' | 'ident' | 'email'>;

export type Found<Row, By> = {
  readonly rows: readonly Row[];
  /** The ways that find more than is shown. */
  readonly further: readonly By[];
};

/** The registrar's contacts by whatever was typed or pasted, so many by each way. */
export const findContactsByText = (
  { database }: Pick<ConsoleParts, 'database'>,
  { principal }: Pick<Visit, 'principal'>,
  text: string,
  size: number,
): Promise<Found<FoundContactRow, ContactWay>> =>
  findByEach(contactWays(text), ({ by, text: wanted }) =>
    inListTurn(database, principal, (db) =>
      findContacts(db, { filter: { [by]: parsePattern(wanted) }, order: 'name' }, size, principal),
    ),
  );

/** What indexes find among any number: each search is several lists. */
const contactWays = (typed: string): ContactWay[] =>
  typed.includes('@')
    ? [{ by: 'email', text: quotedText(typed), typed }]
    : [
        { by: 'name', text: typed, typed },
        { by: 'code', text: typed, typed },
        { by: 'ident', text: quotedText(typed), typed },
      ];

/** What is found in several ways is there once. */
export async function findByEach<Row extends { readonly name: string; readonly code?: string }, By>(
  ways: readonly By[],
  find: (way: By) => Promise<FoundPage<Row>>,
): Promise<Found<Row, By>> {
  const pages = await Promise.all(ways.map(find));
  const rows = pages.flatMap((page) => page.rows);
  return {
    rows: [...new Map(rows.map((row) => [row.code ?? row.name, row])).values()],
    further: ways.filter((_, place) => pages[place]?.next !== undefined),
  };
}

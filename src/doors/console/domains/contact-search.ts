import { type NamedContact, readContactNames } from '../../../registry/contacts/contact-names.ts';
import { type FoundContactRow, findContacts } from '../../../registry/contacts/search-contacts.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { type Field, searchForm } from '../../html/form.ts';
import { isolated } from '../../html/language.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import { filterText } from '../filter-text.ts';
import type { Values } from '../form-definition.ts';
import { type ConsoleParts, consoleAddress, type PageInput, type Visit } from '../console-page.ts';
import { changeTexts } from './change-form-texts.ts';

const MAX_FOUND = 10;

export type ContactSearch = {
  readonly find: string;
  /** Undefined if nothing was asked for. */
  readonly found: readonly FoundContactRow[] | undefined;
  /** The contact that the address fills in. */
  readonly chosen: NamedContact | undefined;
};

/** The contacts whose name contains what the address asks for as `find`. */
export async function searchContacts(
  { database }: ConsoleParts,
  { principal }: Visit,
  { query }: PageInput,
): Promise<ContactSearch> {
  const find = query('find');
  const name = filterText(find) ?? undefined;
  const code = filterText(query('registrant'));
  const [chosen] = !code ? [] : await readContactNames(database.reads, [code], principal);
  if (find === '' || name === undefined) return { find, found: find === '' ? undefined : [], chosen };
  const search = { filter: { name }, order: 'name' } as const;
  const { rows } = await inListTurn(database, principal, (db) =>
    findContacts(db, search, MAX_FOUND, principal),
  );
  return { find, found: rows, chosen };
}

/** The field of the registrant, with the name of the contact that was chosen. */
export const registrantField = ({ chosen }: ContactSearch, values: Values, lang: Language): Field => {
  const { fields, hints } = changeTexts(lang);
  return {
    name: 'registrant',
    label: fields.registrant,
    value: values('registrant'),
    hint: chosen ? `${hints.registrant}: ${chosen.name}` : hints.registrant,
  };
};

/** A search for the registrant, and what it found: each leads to the form with that contact filled in. */
export function contactSearchView({ find, found }: ContactSearch, path: string, { lang }: Visit): Html {
  const texts = changeTexts(lang).find;
  const form = searchForm({
    name: 'find',
    label: texts.label,
    hint: texts.hint,
    value: find,
    button: texts.button,
    action: consoleAddress(path),
    hidden: {},
  });
  const results = found?.map(
    ({ name, code }) =>
      html`<li><a href="${consoleAddress(path, { registrant: code })}">${isolated(name)} (${code})</a></li>`,
  );
  const create = html`<ul class="actions"><li><a href="${consoleAddress('/contacts/~create')}">${texts.create}</a></li></ul>\n`;
  if (!results) return html`${form}${create}`;
  return html`${form}${
    results.length === 0
      ? html`<p role="status">${texts.none}</p>\n`
      : html`<p role="status">${texts.found}</p>\n<ul class="ways">${results}</ul>\n`
  }${create}`;
}

import { type NamedContact, readContactNames } from '../../../registry/contacts/contact-names.ts';
import { type FoundContactRow, findContacts } from '../../../registry/contacts/search-contacts.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import type { Field } from '../../html/form.ts';
import { isolated } from '../../html/language.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import { filterPattern, filterText } from '../filter-text.ts';
import type { Values } from '../form-definition.ts';
import {
  type ConsoleParts,
  consoleAddress,
  type FormInput,
  type PageInput,
  type Visit,
} from '../console-page.ts';
import { changeTexts } from './change-form-texts.ts';

const MAX_FOUND = 10;

export type ContactSearch = {
  readonly find: string;
  /** Undefined if nothing was asked for. */
  readonly found: readonly FoundContactRow[] | undefined;
  /** The contact that was chosen, or that the address fills in. */
  readonly chosen: NamedContact | undefined;
};

/** What the buttons of the search send as the step of their form. */
const FIND = 'find';
const CHOOSE = 'choose:';

const chosenBy = (step: string): string | undefined =>
  step.startsWith(CHOOSE) ? step.slice(CHOOSE.length) : undefined;

/** Both buttons show the form again with everything that was typed; undefined for its other buttons. */
export function searchedAgain({ field }: FormInput): Readonly<Record<string, string>> | undefined {
  const registrant = chosenBy(field('step'));
  if (registrant !== undefined) return { registrant };
  // The Enter key in another field sends the first button, too.
  return field('step') === FIND && field('find').trim() !== '' ? {} : undefined;
}

/** The contacts whose name contains what the form asks for, and the one that it names. */
export async function searchContacts(
  { database }: ConsoleParts,
  { principal }: Visit,
  input: PageInput | FormInput,
): Promise<ContactSearch> {
  const field = 'field' in input ? input.field : input.query;
  const find = field('step') === FIND ? field('find').trim() : '';
  const name = filterPattern(find) ?? undefined;
  const code = filterText((chosenBy(field('step')) ?? field('registrant')).trim());
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

/** A search for the registrant within its form, and what it found: each is a button that fills that contact in. */
export function contactSearchView({ find, found }: ContactSearch, { lang }: Visit): Html {
  const texts = changeTexts(lang).find;
  const results = found?.map(
    ({ name, code }) =>
      html`<li><button class="plain" name="step" value="${CHOOSE}${code}" formnovalidate>${isolated(name)} (${code})</button></li>`,
  );
  return html`<div class="search" role="search">
<label for="find-contact">${texts.label}</label>
<p class="hint" id="find-contact-hint">${texts.hint}</p>
<div class="asks"><input type="search" id="find-contact" name="find" value="${find}" aria-describedby="find-contact-hint" autocomplete="off" autocapitalize="none" spellcheck="false">
<button class="act second" name="step" value="${FIND}" formnovalidate>${texts.button}</button></div>
</div>
${
  results &&
  (results.length === 0
    ? html`<p role="status">${texts.none}</p>\n`
    : html`<p role="status">${texts.found}</p>\n<ul class="ways">${results}</ul>\n`)
}<ul class="actions"><li><a href="${consoleAddress('/contacts/~create')}">${texts.create}</a></li></ul>
`;
}

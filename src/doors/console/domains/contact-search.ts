import { type NamedContact, readContactNames } from '../../../registry/contacts/contact-names.ts';
import type { FoundContactRow } from '../../../registry/contacts/search-contacts.ts';
import type { Field } from '../../html/form.ts';
import { isolated } from '../../html/language.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import { contactFinderAddress } from '../contacts/contact-finder.ts';
import { findContactsByText } from '../contacts/find-by-text.ts';
import { filterText } from '../filter-text.ts';
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

/** The contacts that the form asks for, and the one that it names. */
export async function searchContacts(
  parts: ConsoleParts,
  visit: Visit,
  input: PageInput | FormInput,
): Promise<ContactSearch> {
  const field = 'field' in input ? input.field : input.query;
  const find = field('step') === FIND ? field('find').trim() : '';
  const wanted = filterText(find) ?? undefined;
  const code = filterText((chosenBy(field('step')) ?? field('registrant')).trim());
  const [chosen] = !code ? [] : await readContactNames(parts.database.reads, [code], visit.principal);
  if (wanted === undefined) return { find, found: find === '' ? undefined : [], chosen };
  const { rows } = await findContactsByText(parts, visit, wanted, MAX_FOUND);
  return { find, found: rows.slice(0, MAX_FOUND), chosen };
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
}`;
}

/** Where a contact can be created that is not there yet, if not in the form itself. */
export const contactCreationLink = ({ lang }: Visit): Html =>
  html`<ul class="actions"><li><a href="${consoleAddress('/contacts/~create')}">${changeTexts(lang).find.create}</a></li></ul>
`;

/** What the script of the page needs that offers contacts while one is looked for in these fields. */
export function contactPicker(fields: readonly string[], { lang }: Visit): Html {
  const { label, none, same, create } = changeTexts(lang).picker;
  return html`<p hidden data-contact-picker="${contactFinderAddress}" data-fields="${fields.join(' ')}" data-label="${label}" data-none="${none}" data-same="${same}" data-create="${create}"></p>
`;
}

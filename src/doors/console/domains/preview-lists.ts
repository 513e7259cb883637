import { type NamedContact, readContactNames } from '../../../registry/contacts/contact-names.ts';
import { isolated } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import type { ConsoleParts, Visit } from '../console-page.ts';

/** One below the other; false if there are none. */
export const listed = (items: readonly (Html | string)[]): Html | false =>
  items.length > 0 && html`<ul class="plain-list">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

export const contactItem = ({ name, code }: NamedContact): Html => html`${isolated(name)} (${code})`;

/** The contacts of these codes with their names, for a preview. */
export const namesOf = ({ database }: ConsoleParts, codes: readonly string[], { principal }: Visit) =>
  readContactNames(database.reads, codes, principal);

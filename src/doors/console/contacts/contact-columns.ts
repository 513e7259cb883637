import type { ListedContact } from '../../../registry/contacts/search-contacts.ts';
import type { Policy } from '../../../policy/policy.ts';
import { isolated, shortDayIn } from '../../html/language.ts';
import { html, type HtmlValue, type Language } from '../../html/layout.ts';
import type { Columned, ShownColumn } from '../columns/column-menu.ts';
import type { Visit } from '../console-page.ts';
import { contactAddress } from '../domains/domain-columns.ts';
import { identText } from './contact-query.ts';
import { contactsTexts } from './contacts-texts.ts';

const COLUMNS = ['code', 'ident', 'email', 'phone', 'created', 'changed', 'reference'] as const;
export type ContactColumn = (typeof COLUMNS)[number];

export const contactColumns: Columned<ContactColumn> = {
  list: 'contacts',
  path: '/contacts',
  columns: COLUMNS,
  initial: ['code', 'ident', 'email', 'phone'],
  titles: (lang: Language) => contactsTexts(lang).labels,
};

/** The columns after the name. */
export function contactCells(
  shown: readonly ContactColumn[],
  visit: Visit,
  policy: Policy,
): ShownColumn<ListedContact>[] {
  const { lang } = visit;
  const { labels } = contactsTexts(lang);
  const cells: Readonly<Record<ContactColumn, (row: ListedContact) => HtmlValue>> = {
    code: ({ code }) => html`<a href="${contactAddress(code)}">${code}</a>`,
    ident: ({ ident }) => identText(ident, visit),
    email: ({ email }) => isolated(email),
    phone: ({ phone }) => phone,
    created: ({ createdAt }) => shortDayIn(lang, createdAt, policy),
    changed: ({ updatedAt }) => shortDayIn(lang, updatedAt, policy),
    reference: ({ reference }) => reference !== null && isolated(reference),
  };
  return shown.map((name) => ({ title: labels[name], cell: cells[name] }));
}

import { readInvoice } from '../../../billing/invoices/invoice-view.ts';
import { type FoundContactRow, findContacts } from '../../../registry/contacts/search-contacts.ts';
import { type FoundDomainRow, findDomains } from '../../../registry/domains/lists/search-domains.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { isolated, shortDayIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { identText } from '../contacts/contact-query.ts';
import { contactAddress, domainAddress } from '../domains/domains-page.ts';
import { stateTag } from '../domains/state-tag.ts';
import { type ConsoleParts, consoleAddress, definePage, type Visit } from '../console-page.ts';
import { invoiceAddress } from '../money/invoice-address.ts';
import { readSearch, type Search } from './read-search.ts';
import { searchTexts } from './search-texts.ts';

/** Of each kind; the rest is behind a link to the list. */
const SHOWN = 8;

/** Domains, people and invoices of the registrar at once, by whatever was typed or pasted. */
export const searchPage = definePage({
  path: '/search',
  right: undefined,
  load: async ({ database, policy }, visit, { query }) => {
    const search = readSearch(query('q'), policy);
    const { principal, may } = visit;
    const [domains, contacts, invoice] = await Promise.all([
      may('read') ? domainsOf(search) : [],
      may('read') ? contactsOf(search) : [],
      may('money') && search.number !== undefined
        ? readInvoice(database.reads, search.number, { registrarId: principal.registrarId })
        : undefined,
    ]);
    return { search, domains, contacts, invoice };

    async function domainsOf({ text, name, host }: Search): Promise<readonly FoundDomainRow[]> {
      if (text === '') return [];
      const filters = [
        { name: name ?? text },
        { registrant: text },
        ...(host === undefined ? [] : [{ nameserver: host }]),
      ];
      const found = await Promise.all(
        filters.map((filter) =>
          inListTurn(database, principal, (db) =>
            findDomains(db, { filter, order: 'name' }, SHOWN, principal),
          ),
        ),
      );
      return distinct(
        found.flatMap(({ rows }) => rows),
        ({ name: key }) => key,
      );
    }

    async function contactsOf({ text }: Search): Promise<readonly FoundContactRow[]> {
      if (text === '') return [];
      const filters = [{ name: text }, { code: text }, { ident: text }];
      const found = await Promise.all(
        filters.map((filter) =>
          inListTurn(database, principal, (db) =>
            findContacts(db, { filter, order: 'name' }, SHOWN, principal),
          ),
        ),
      );
      return distinct(
        found.flatMap(({ rows }) => rows),
        ({ code }) => code,
      );
    }
  },
  view: ({ search, domains, contacts, invoice }, visit, { policy }) => {
    const texts = searchTexts(visit.lang);
    const isNothing = domains.length === 0 && contacts.length === 0 && !invoice;
    const body = html`<h1>${search.text === '' ? texts.title : texts.found(search.text)}</h1>
${search.text === '' && html`<p>${texts.hint}</p>\n`}${domains.length > 0 && domainResults(domains, visit, policy)}${
  contacts.length > 0 && contactResults(contacts, visit)
}${invoice && invoiceResult(invoice, visit)}${search.text !== '' && isNothing && html`<p role="status">${texts.nothing}</p>\n`}${
  search.name !== undefined && lookUpAndRegister(search.name, domains, visit)
}`;
    return { title: texts.title, body };
  },
});

function distinct<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()].slice(0, SHOWN);
}

function domainResults(rows: readonly FoundDomainRow[], visit: Visit, policy: ConsoleParts['policy']): Html {
  const texts = searchTexts(visit.lang);
  const columns = texts.domainColumns.map((title) => ({ title }));
  return html`<h2>${texts.domains}</h2>
${table(
  { label: texts.domains, kind: 'list two-lines', columns },
  rows.map((row) => [
    html`<a href="${domainAddress(row.name)}">${isolated(row.name)}</a>`,
    html`<a href="${contactAddress(row.registrantCode)}">${isolated(row.registrantName)}</a>`,
    stateTag(row, visit),
    shortDayIn(visit.lang, row.expireTime, policy),
  ]),
)}`;
}

function contactResults(rows: readonly FoundContactRow[], visit: Visit): Html {
  const texts = searchTexts(visit.lang);
  const columns = texts.contactColumns.map((title) => ({ title }));
  return html`<h2>${texts.contacts}</h2>
${table(
  { label: texts.contacts, kind: 'list', columns },
  rows.map(({ code, name, ident, email }) => [
    html`<a href="${contactAddress(code)}">${isolated(name)}</a>`,
    code,
    identText(ident, visit),
    isolated(email),
  ]),
)}`;
}

const invoiceResult = ({ number }: { readonly number: number }, { lang }: Visit): Html =>
  html`<h2>${searchTexts(lang).invoices}</h2>
<p><a href="${invoiceAddress(number)}">${searchTexts(lang).invoice(number)}</a></p>
`;

/** What can be done with a name that is not the registrar's. */
function lookUpAndRegister(name: string, own: readonly FoundDomainRow[], { lang, may }: Visit): Html {
  if (own.some((domain) => domain.name === name)) return html``;
  const texts = searchTexts(lang);
  return html`<h2>${texts.elsewhere}</h2>
<ul class="actions"><li><a href="/lookup?${new URLSearchParams({ name, lang }).toString()}">${texts.lookUp(name)}</a></li>${
    may('objects') &&
    html`<li><a href="${consoleAddress('/domains/register', { name })}">${texts.register(name)}</a></li>`
  }</ul>
`;
}

import { readInvoice } from '../../../billing/invoices/invoice-view.ts';
import { beginningText, parsePattern, quotedText } from '../../../platform/paging/text-pattern.ts';
import type { FoundContactRow } from '../../../registry/contacts/search-contacts.ts';
import {
  type DomainFilter,
  type ListedDomain,
  findDomains,
} from '../../../registry/domains/lists/search-domains.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { isolated, shortDayIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { identText } from '../contacts/contact-query.ts';
import { registrantPattern } from '../domains/domain-query.ts';
import {
  type ContactWay,
  type Found,
  findByEach,
  findContactsByText,
  type Way,
} from '../contacts/find-by-text.ts';
import { domainAddress } from '../domains/domains-page.ts';
import { contactAddress } from '../domains/domain-columns.ts';
import { stateTag } from '../domains/state-tag.ts';
import { type ConsoleParts, consoleAddress, definePage, type Visit } from '../console-page.ts';
import { invoiceAddress } from '../money/invoice-address.ts';
import { readSearch, type Search } from './read-search.ts';
import { searchTexts } from './search-texts.ts';

/** By each way to find something; the rest is behind a link to the list. */
const SHOWN = 8;

type DomainWay = Way<'name' | 'registrant' | 'nameserver'>;

/** Domains, people and invoices of the registrar at once, by whatever was typed or pasted. */
export const searchPage = definePage({
  path: '/search',
  right: undefined,
  load: async ({ database, policy }, { principal, now, may }, { query }) => {
    const search = readSearch(query('q'), policy);
    const { number } = search;
    const scope = { registrarId: principal.registrarId, now };
    const filterBy = (by: DomainWay['by'], text: string): DomainFilter => {
      const pattern = parsePattern(text);
      return { [by]: by === 'registrant' ? registrantPattern(pattern, { may }) : pattern };
    };
    const mayFind = search.text !== '' && may('read');
    const [domains, contacts, invoice] = await Promise.all([
      findByEach(mayFind ? domainWays(search) : [], ({ by, text }) =>
        inListTurn(database, principal, (db) =>
          findDomains(db, { filter: filterBy(by, text), order: 'name' }, SHOWN, scope),
        ),
      ),
      mayFind ? findContactsByText({ database }, { principal }, search.text, SHOWN) : NOTHING_FOUND,
      may('money') && number !== undefined
        ? readInvoice(database.reads, number, { registrarId: principal.registrarId })
        : undefined,
    ]);
    return { search, domains, contacts, invoice };
  },
  view: ({ search, domains, contacts, invoice }, visit, { policy }) => {
    const texts = searchTexts(visit.lang);
    const isNothing = [domains, contacts].every((found) => !isAny(found)) && !invoice;
    const body = html`<h1>${search.text === '' ? texts.title : texts.found(search.text)}</h1>
${search.text === '' && html`<p>${texts.hint}</p>\n`}${isAny(domains) && domainResults(domains, visit, policy)}${
  isAny(contacts) && contactResults(contacts, visit)
}${invoice && invoiceResult(invoice, visit)}${search.text !== '' && isNothing && html`<p role="status">${texts.nothing}</p>\n`}${
  search.name !== undefined && lookUpAndRegister(search.name, domains.rows, visit)
}`;
    return { title: texts.title, body };
  },
});

const domainWays = ({ text, name = text, host }: Search): DomainWay[] => [
  { by: 'name', text: name, typed: name },
  { by: 'registrant', text: beginningText(text), typed: text },
  ...(host === undefined ? [] : [{ by: 'nameserver', text: quotedText(host), typed: host } as const]),
];

const NOTHING_FOUND: Found<FoundContactRow, ContactWay> = { rows: [], further: [] };
const isAny = ({ rows, further }: Found<object, object>): boolean => rows.length > 0 || further.length > 0;

function domainResults(
  { rows, further }: Found<ListedDomain, DomainWay>,
  visit: Visit,
  policy: ConsoleParts['policy'],
): Html {
  const texts = searchTexts(visit.lang);
  const columns = texts.domainColumns.map((title) => ({ title }));
  const results = table(
    { label: texts.domains, kind: 'list two-lines', columns },
    rows.map((row) => [
      html`<a href="${domainAddress(row.name)}">${isolated(row.name)}</a>`,
      html`<a href="${contactAddress(row.registrantCode)}">${isolated(row.registrantName)}</a>`,
      stateTag(row, visit, policy),
      shortDayIn(visit.lang, row.expireTime, policy),
    ]),
  );
  return html`<h2>${texts.domains}</h2>
${rows.length > 0 && results}${furtherLinks('/domains', further, texts.allDomains)}`;
}

function contactResults({ rows, further }: Found<FoundContactRow, ContactWay>, visit: Visit): Html {
  const texts = searchTexts(visit.lang);
  const columns = texts.contactColumns.map((title) => ({ title }));
  const results = table(
    { label: texts.contacts, kind: 'list', columns },
    rows.map(({ code, name, ident, email }) => [
      html`<a href="${contactAddress(code)}">${isolated(name)}</a>`,
      code,
      identText(ident, visit),
      isolated(email),
    ]),
  );
  return html`<h2>${texts.contacts}</h2>
${rows.length > 0 && results}${furtherLinks('/contacts', further, texts.allContacts)}`;
}

const furtherLinks = <By extends string>(
  path: string,
  further: readonly Way<By>[],
  texts: Readonly<Record<By, (text: string) => string>>,
): Html | false =>
  further.length > 0 &&
  html`<ul class="actions">${further.map(
    ({ by, text, typed }) =>
      html`<li><a href="${consoleAddress(path, { [by]: text })}">${texts[by](typed)}</a></li>`,
  )}</ul>
`;

const invoiceResult = ({ number }: { readonly number: number }, { lang }: Visit): Html =>
  html`<h2>${searchTexts(lang).invoices}</h2>
<p><a href="${invoiceAddress(number)}">${searchTexts(lang).invoice(number)}</a></p>
`;

/** What can be done with a name that is not the registrar's. */
function lookUpAndRegister(name: string, own: readonly ListedDomain[], { lang, may }: Visit): Html {
  if (own.some((domain) => domain.name === name)) return html``;
  const texts = searchTexts(lang);
  return html`<h2>${texts.elsewhere}</h2>
<ul class="actions"><li><a href="/lookup?${new URLSearchParams({ name, lang }).toString()}">${texts.lookUp(name)}</a></li>${
    may('objects') &&
    html`<li><a href="${consoleAddress('/domains/register', { name })}">${texts.register(name)}</a></li>`
  }</ul>
`;
}

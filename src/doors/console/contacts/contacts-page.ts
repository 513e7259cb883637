import type { FoundPage } from '../../../platform/paging/keyset-search.ts';
import { timeIn } from '../../../platform/values/dates.ts';
import {
  type ContactSearch,
  type FoundContactRow,
  findContacts,
  findContactsWithTotal,
  type ListedContact,
} from '../../../registry/contacts/search-contacts.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import type { FilterField } from '../../html/filter-form.ts';
import { isolated } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { csvLine } from '../../http/csv.ts';
import { actionList } from '../action-list.ts';
import { contactAddress } from '../domains/domain-columns.ts';
import { columnMenu, isInitial, loadColumns } from '../columns/column-menu.ts';
import { listView, PAGE_SIZE } from '../list-view.ts';
import {
  type ConsoleExport,
  type ConsoleParts,
  consoleAddress,
  definePage,
  type Visit,
} from '../console-page.ts';
import { loadViews, type Viewed, viewsBar } from '../views/views-bar.ts';
import { type ContactColumn, contactCells, contactColumns } from './contact-columns.ts';
import { contactFormTexts } from './contact-form-texts.ts';
import {
  contactFilters,
  contactOrders,
  contactParameters,
  identText,
  type ReadContactQuery,
  readContactQuery,
} from './contact-query.ts';
import { contactsTexts } from './contacts-texts.ts';

export const contactViews: Viewed = {
  list: 'contacts',
  path: '/contacts',
  parameters: (input, visit) => {
    const { query, asked } = readContactQuery(input, visit);
    return query && contactParameters(asked);
  },
};

/** The registrar's contacts, filtered and paged. */
export const contactsPage = definePage({
  path: '/contacts',
  right: 'read',
  menu: 'contacts',
  load: async (parts, visit, input) => {
    const { database } = parts;
    const { principal } = visit;
    const read = readContactQuery(input, visit);
    const { query } = read;
    const found =
      query &&
      (await inListTurn(database, principal, (db) => findContactsWithTotal(db, query, PAGE_SIZE, principal)));
    const shown = await loadColumns(contactColumns, parts, visit);
    return { ...read, shown, found, views: await loadViews(contactViews, parts, visit, input) };
  },
  view: ({ found, views, shown, ...read }, visit, { policy }, refused) => {
    const texts = contactsTexts(visit.lang);
    const parameters = contactParameters(read.asked);
    const isFiltered = contactFilters.some((name) => name in parameters);
    const body = listView({
      lang: visit.lang,
      title: texts.title,
      views: viewsBar(contactViews, { ...views, parameters, refused }, visit, policy),
      path: '/contacts',
      filePath: '/contacts.csv',
      parameters,
      filterLabel: texts.filter,
      fields: filterFields(read, visit),
      actions: visit.may('objects') ? newContactLink(visit) : undefined,
      found: found && {
        ...found,
        isFirst: read.query?.after === undefined,
        rows: found.rows.length === 0 ? undefined : contactRows(found.rows, shown, visit, policy),
        columns: columnMenu(contactColumns, shown, parameters, visit),
        none: isFiltered ? texts.none : texts.noneYet,
      },
    });
    return { title: texts.title, body, ...(!read.query && { status: 400 }) };
  },
});

function newContactLink(visit: Visit): Html {
  const { actions } = contactFormTexts(visit.lang);
  const create = { text: actions.names.create, href: consoleAddress('/contacts/~create') };
  return actionList([create], actions, visit);
}

function filterFields({ asked, wrong }: ReadContactQuery, { lang }: Visit): FilterField[] {
  const texts = contactsTexts(lang);
  const fields = contactFilters.map((name) => ({
    name,
    label: texts.fields[name],
    value: asked[name],
    type: name === 'name' ? ('search' as const) : undefined,
    isMain: name === 'name',
    ...(wrong.includes(name) && { fault: texts.fault }),
  }));
  const choices = contactOrders.map((order) => [order, texts.orders[order]] as const);
  return [
    ...fields,
    { name: 'sort', label: texts.fields.sort, value: asked.sort, isMain: true, isOrder: true, choices },
  ];
}

/** The name leads to the contact where its code does not. */
function contactRows(
  rows: readonly ListedContact[],
  shown: readonly ContactColumn[],
  visit: Visit,
  policy: ConsoleParts['policy'],
): Html {
  const { title, labels } = contactsTexts(visit.lang);
  const cells = contactCells(shown, visit, policy);
  const nameOf = ({ name, code }: ListedContact) =>
    shown.includes('code') ? isolated(name) : html`<a href="${contactAddress(code)}">${isolated(name)}</a>`;
  return table(
    {
      label: title,
      ...(!isInitial(contactColumns, shown) && { kind: 'own-columns' }),
      columns: [{ title: labels.name }, ...cells],
    },
    rows.map((row) => [nameOf(row), ...cells.map(({ cell }) => cell(row))]),
  );
}

const PAGE = 500;

/** All contacts of a filter, as the list shows them. */
export const contactsExport: ConsoleExport = {
  path: '/contacts.csv',
  right: 'read',
  download: async (parts, visit, input) => {
    const { query } = readContactQuery(input, visit);
    const type = 'text/csv; charset=utf-8';
    return query && { fileName: 'contacts.csv', type, pieces: lines(parts, visit, query) };
  },
};

/** Each page is a statement of its own, so that a slow client holds no connection. */
async function* lines(
  { database, policy: { timeZone } }: ConsoleParts,
  visit: Visit,
  { filter, order }: ContactSearch,
): AsyncGenerator<string> {
  let after: ContactSearch['after'];
  let isFirst = true;
  do {
    const query = { filter, order, after };
    const { rows, next }: FoundPage<FoundContactRow> = await inListTurn(
      database,
      visit.principal,
      (db) => findContacts(db, query, PAGE, visit.principal),
      { admitted: !isFirst },
    );
    const written = rows.map(({ code, name, ident, email, phone, createdAt }) =>
      csvLine([code, name, identText(ident, visit), email, phone, timeIn(timeZone, createdAt)]),
    );
    yield (isFirst ? csvLine(['contact', 'name', 'ident', 'email', 'phone', 'created']) : '') +
      written.join('');
    [after, isFirst] = [next, false];
  } while (after);
}

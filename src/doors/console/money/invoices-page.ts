import {
  exportOwnInvoices,
  findOwnInvoices,
  type OwnInvoice,
  type OwnInvoiceQuery,
} from '../../../billing/invoices/find-own-invoices.ts';
import { statuses } from '../../../billing/invoices/invoice.ts';
import type { FoundPage } from '../../../platform/paging/keyset-search.ts';
import type { Position } from '../../../platform/paging/position.ts';
import { timeIn } from '../../../platform/values/dates.ts';
import { toDecimal } from '../../../platform/values/money.ts';
import type { Policy } from '../../../policy/policy.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { amountIn } from '../../html/amount-in.ts';
import type { FilterField } from '../../html/filter-form.ts';
import { dayIn, shortDayIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { csvLine } from '../../http/csv.ts';
import { listView, PAGE_SIZE } from '../list-view.ts';
import { type ConsoleExport, type ConsoleParts, definePage, type Visit } from '../console-page.ts';
import { loadViews, type Viewed, viewsBar } from '../views/views-bar.ts';
import { givenParameters, rangeFields } from './date-range.ts';
import { invoiceAddress } from './invoice-address.ts';
import { type ReadInvoiceQuery, readInvoiceQuery } from './invoices-query.ts';
import { invoicesTexts } from './invoices-texts.ts';
import { moneyTexts } from './money-texts.ts';

export const invoiceViews: Viewed = {
  list: 'invoices',
  path: '/invoices',
  parameters: (input, _visit, policy) => {
    const { query, asked } = readInvoiceQuery(input, policy);
    return query && givenParameters(asked);
  },
};

/** The registrar's invoices, filtered and paged. */
export const invoicesPage = definePage({
  path: '/invoices',
  right: 'money',
  menu: 'invoices',
  load: async (parts, visit, input) => {
    const { database, policy } = parts;
    const { principal } = visit;
    const read = readInvoiceQuery(input, policy);
    const { query } = read;
    const views = await loadViews(invoiceViews, parts, visit, input);
    if (!query) return { read, views, found: undefined };
    const found = await inListTurn(database, principal, (db) =>
      findOwnInvoices(db, principal.registrarId, query, PAGE_SIZE),
    );
    return { read, views, found };
  },
  view: ({ read, views, found }, visit, { policy }, refused) => {
    const texts = invoicesTexts(visit.lang);
    const parameters = givenParameters(read.asked);
    const body = listView({
      lang: visit.lang,
      title: texts.title,
      views: viewsBar(invoiceViews, { ...views, parameters, refused }, visit, policy),
      path: '/invoices',
      filePath: '/invoices.csv',
      parameters,
      filterLabel: moneyTexts(visit.lang).filter,
      fields: filterFields(read, visit),
      found: found && {
        total: found.total,
        isCut: found.isCut,
        isFirst: read.query?.after === undefined,
        next: found.next,
        rows: found.rows.length === 0 ? undefined : invoiceRows(found.rows, visit, policy),
        none: Object.keys(parameters).length > 0 ? texts.none : texts.noneYet,
      },
    });
    return { title: texts.title, body, ...(!read.query && { status: 400 }) };
  },
});

function filterFields({ asked, status, ...range }: ReadInvoiceQuery, { lang }: Visit): FilterField[] {
  const texts = invoicesTexts(lang);
  const choices = statuses.map((known) => [known, texts.statuses[known]] as const);
  return [
    {
      name: 'status',
      label: texts.status,
      value: asked.status,
      isMain: true,
      choices: [['', texts.anyStatus] as const, ...choices],
      ...(status === null && { fault: texts.notStatus }),
    },
    ...rangeFields(asked, range, lang),
  ];
}

function invoiceRows(rows: readonly OwnInvoice[], { lang }: Visit, policy: Policy): Html {
  const { title, columns, statuses: words } = invoicesTexts(lang);
  return table(
    { label: title, columns: columns.map((column, place) => ({ title: column, number: place === 4 })) },
    rows.map(({ number, status, amount, currency, issuedAt, dueDate }) => [
      html`<a href="${invoiceAddress(number)}">${number}</a>`,
      shortDayIn(lang, issuedAt, policy),
      html`<time datetime="${dueDate}">${dayIn(lang, dueDate)}</time>`,
      words[status],
      amountIn(lang, amount, currency),
    ]),
  );
}

const EXPORT_PAGE = 500;
const COLUMNS = ['invoice', 'status', 'issued', 'due', 'paid', 'net', 'vat', 'total', 'currency'];

/** All invoices of a filter. */
export const invoicesExport: ConsoleExport = {
  path: '/invoices.csv',
  right: 'money',
  download: async (parts, visit, input) => {
    const { query } = readInvoiceQuery(input, parts.policy);
    const type = 'text/csv; charset=utf-8';
    return query && { fileName: 'invoices.csv', type, pieces: lines(parts, visit, query) };
  },
};

/** Each page is a statement of its own, so that a slow client holds no connection. */
async function* lines(
  { database, policy: { timeZone } }: ConsoleParts,
  { principal }: Visit,
  { filter }: OwnInvoiceQuery,
): AsyncGenerator<string> {
  let after: Position | undefined;
  let isFirst = true;
  do {
    const query = { filter, after };
    const { rows, next }: FoundPage<OwnInvoice> = await inListTurn(
      database,
      principal,
      (db) => exportOwnInvoices(db, principal.registrarId, query, EXPORT_PAGE),
      { admitted: !isFirst },
    );
    yield (isFirst ? csvLine(COLUMNS) : '') + rows.map((row) => lineOf(row, timeZone)).join('');
    [after, isFirst] = [next, false];
  } while (after !== undefined);
}

const lineOf = (row: OwnInvoice, timeZone: string): string =>
  csvLine([
    String(row.number),
    row.status,
    timeIn(timeZone, row.issuedAt),
    row.dueDate,
    row.paidAt ? timeIn(timeZone, row.paidAt) : '',
    ...[row.net, row.vat, row.amount].map((cents) => toDecimal(BigInt(cents))),
    row.currency,
  ]);

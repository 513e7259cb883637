import { listUnpaid } from '../../../billing/invoices/count-unpaid.ts';
import { entryKinds } from '../../../ledger/entry-kinds.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { findTransactions } from '../../../registry/registrars/find-transactions.ts';
import { readOwnAccount } from '../../../registry/registrars/own-account.ts';
import type { FilterField } from '../../html/filter-form.ts';
import { html } from '../../html/layout.ts';
import { listView, PAGE_SIZE } from '../list-view.ts';
import { consoleAddress, definePage, type Visit } from '../console-page.ts';
import { loadViews, type Viewed, viewsBar } from '../views/views-bar.ts';
import { balanceCards } from './balance-cards.ts';
import { type ReadTransactionQuery, readTransactionQuery } from './balance-query.ts';
import { balanceTexts } from './balance-texts.ts';
import { customersTexts } from './customers-texts.ts';
import { givenParameters, rangeFields } from './date-range.ts';
import { moneyTexts } from './money-texts.ts';
import { transactionRows } from './transaction-rows.ts';

const MAX_UNPAID_SHOWN = 4;

export const balanceViews: Viewed = {
  list: 'balance',
  path: '/balance',
  parameters: (input, visit, policy) => {
    const { query, asked } = readTransactionQuery(input, policy, visit);
    return query && givenParameters(asked);
  },
};

/** All about money on one page: what there is, what is owed, how to get more, and every charge and credit. */
export const balancePage = definePage({
  path: '/balance',
  right: 'money',
  menu: 'balance',
  load: async (parts, visit, input) => {
    const { database, policy } = parts;
    const { principal } = visit;
    const read = readTransactionQuery(input, policy, visit);
    const { query } = read;
    const [account, unpaid, views, found] = await Promise.all([
      readOwnAccount(database.reads, principal),
      listUnpaid(database.reads, principal.registrarId, MAX_UNPAID_SHOWN),
      loadViews(balanceViews, parts, visit, input),
      query &&
        inListTurn(database, principal, (db) => findTransactions(db, query, PAGE_SIZE, principal, policy)),
    ]);
    return { read, account, unpaid, views, found };
  },
  view: ({ read, account, unpaid, views, found }, visit, { policy }, refused) => {
    const texts = balanceTexts(visit.lang);
    const parameters = givenParameters(read.asked);
    const body = listView({
      lang: visit.lang,
      title: texts.title,
      views: viewsBar(balanceViews, { ...views, parameters, refused }, visit, policy),
      path: '/balance',
      filePath: '/balance.csv',
      parameters,
      above: html`${balanceCards({ account, unpaid }, visit, policy)}<h2 id="transactions">${texts.transactions}</h2>\n${visit.may('read') && html`<p><a href="${consoleAddress('/balance/customers')}">${customersTexts(visit.lang).link}</a></p>\n`}`,
      filterLabel: moneyTexts(visit.lang).filter,
      fields: filterFields(read, visit),
      found: found && {
        ...found,
        isFirst: read.query?.after === undefined,
        rows: found.rows.length === 0 ? undefined : transactionRows(found.rows, visit, policy),
        none: Object.keys(parameters).length > 0 ? texts.none : texts.noneYet,
      },
    });
    return { title: texts.title, body, ...(!read.query && { status: 400 }) };
  },
});

function filterFields(
  { asked, about, kind, ...range }: ReadTransactionQuery,
  { lang, may }: Visit,
): FilterField[] {
  const texts = balanceTexts(lang);
  const { kinds } = moneyTexts(lang);
  const choices = [
    ['', texts.anyKind] as const,
    ...entryKinds.map((known) => [known, kinds[known]] as const),
  ];
  return [
    {
      name: 'about',
      label: may('read') ? texts.aboutCustomer : texts.about,
      value: asked.about,
      type: 'search',
      isMain: true,
      ...(about === null && { fault: texts.notAbout }),
    },
    {
      name: 'kind',
      label: texts.kind,
      value: asked.kind,
      choices,
      ...(kind === null && { fault: texts.notKind }),
    },
    ...rangeFields(asked, range, lang),
  ];
}

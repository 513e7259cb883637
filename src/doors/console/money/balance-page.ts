import { entryKinds } from '../../../ledger/entry-kinds.ts';
import { toDecimal } from '../../../platform/values/money.ts';
import type { Policy } from '../../../policy/policy.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { findTransactions, type Transaction } from '../../../registry/registrars/find-transactions.ts';
import { type OwnAccount, readOwnAccount } from '../../../registry/registrars/own-account.ts';
import { factList } from '../../html/fact-list.ts';
import type { FilterField } from '../../html/filter-form.ts';
import { shortDayIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { listView, PAGE_SIZE } from '../list-view.ts';
import { consoleAddress, definePage, type Visit } from '../console-page.ts';
import { amountText } from './amount-text.ts';
import { type ReadTransactionQuery, readTransactionQuery } from './balance-query.ts';
import { balanceTexts } from './balance-texts.ts';
import { givenParameters, rangeFields } from './date-range.ts';
import { invoiceAddress } from './invoice-address.ts';
import { moneyTexts } from './money-texts.ts';

/** The account, and its transactions, filtered and paged. */
export const balancePage = definePage({
  path: '/balance',
  right: 'money',
  menu: 'balance',
  load: async ({ database, policy }, { principal }, input) => {
    const read = readTransactionQuery(input, policy);
    const { query } = read;
    const [account, found] = await Promise.all([
      readOwnAccount(database.reads, principal),
      query && inListTurn(database, principal, (db) => findTransactions(db, query, PAGE_SIZE, principal)),
    ]);
    return { read, account, found };
  },
  view: ({ read, account, found }, visit, { policy }) => {
    const texts = balanceTexts(visit.lang);
    const parameters = givenParameters(read.asked);
    const body = listView({
      lang: visit.lang,
      title: texts.title,
      path: '/balance',
      filePath: '/balance.csv',
      parameters,
      above: html`${accountFacts(account, visit)}<h2>${texts.transactions}</h2>\n`,
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

function accountFacts(account: OwnAccount, { lang }: Visit): Html {
  const texts = balanceTexts(lang);
  const { balance, debt, lowBalance, topUpAmount, topUpThreshold } = account;
  const amount = (cents: string) => amountText(cents, account.currency);
  const isLow = lowBalance !== null && BigInt(balance) < BigInt(lowBalance);
  return html`${factList([
    [
      moneyTexts(lang).balance,
      html`${amount(balance)}${isLow && html` <strong class="low">${texts.low(amount(lowBalance))}</strong>`}`,
    ],
    [
      moneyTexts(lang).debt,
      BigInt(debt) > 0n && html`<strong class="low">${amount(debt)}</strong> <br>${texts.blocked}`,
    ],
    [texts.warning, lowBalance === null ? texts.notWarned : texts.warnedBelow(amount(lowBalance))],
    [
      texts.automatic,
      topUpAmount === null || topUpThreshold === null
        ? texts.notAutomatic
        : texts.automaticOf(amount(topUpAmount), amount(topUpThreshold)),
    ],
  ])}<ul class="actions"><li><a href="${consoleAddress('/balance/top-up')}">${texts.topUp}</a></li>
<li><a href="${consoleAddress('/balance/settings')}">${texts.change}</a></li></ul>
`;
}

function filterFields({ asked, kind, ...range }: ReadTransactionQuery, { lang }: Visit): FilterField[] {
  const texts = balanceTexts(lang);
  const { kinds } = moneyTexts(lang);
  const choices = [
    ['', texts.anyKind] as const,
    ...entryKinds.map((known) => [known, kinds[known]] as const),
  ];
  return [
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

function transactionRows(rows: readonly Transaction[], { lang }: Visit, policy: Policy): Html {
  const { transactions, columns } = balanceTexts(lang);
  const { kinds } = moneyTexts(lang);
  return table(
    { label: transactions, columns: columns.map((title, place) => ({ title, number: place > 2 })) },
    rows.map(({ at, kind, description, sum, balance, invoiceNumber }) => [
      shortDayIn(lang, at, policy),
      kinds[kind],
      invoiceNumber === null
        ? description
        : html`<a href="${invoiceAddress(invoiceNumber)}">${description}</a>`,
      toDecimal(BigInt(sum)),
      toDecimal(BigInt(balance)),
    ]),
  );
}

import {
  findStatement,
  isMonth,
  type MonthlyStatement,
} from '../../../billing/statements/find-statements.ts';
import { statementCsv } from '../../../billing/statements/statement-csv.ts';
import { periodText } from '../../../billing/statements/statement-labels.ts';
import { printStatement } from '../../../billing/statements/print-statement.ts';
import { amountIn } from '../../html/amount-in.ts';
import { factList } from '../../html/fact-list.ts';
import { monthIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import {
  type ConsoleExport,
  type ConsoleParts,
  consoleAddress,
  definePage,
  type PageInput,
  type Visit,
  wholeFile,
} from '../console-page.ts';
import { moneyTexts } from './money-texts.ts';
import { entriesAddress, statementAddress } from './statements-page.ts';
import { statementsTexts } from './statements-texts.ts';

const loadStatement = async (
  { database }: ConsoleParts,
  { principal: { registrarCode } }: Visit,
  { params: { month = '' } }: PageInput,
): Promise<MonthlyStatement | undefined> =>
  isMonth(month) ? findStatement(database.reads, registrarCode, month) : undefined;

/** One month: the balances, and what was booked between them. */
export const statementPage = definePage({
  path: '/statements/:month',
  right: 'money',
  load: loadStatement,
  view: (statement, visit) => {
    const { lang } = visit;
    const texts = statementsTexts(lang);
    const title = texts.one(monthIn(lang, statement.month));
    const address = statementAddress(statement.month);
    const { pdf } = moneyTexts(lang);
    const body = html`<h1>${title}</h1>
${facts(statement, visit)}<ul class="actions"><li><a href="${address}/pdf">${pdf}</a></li>
<li><a href="${entriesAddress(statement.month)}">${texts.everyEntry}</a></li>
<li><a href="${address}/csv">${texts.summary}</a></li></ul>
<h2>${texts.lines}</h2>
${lines(statement, visit)}<p><a href="${consoleAddress('/statements')}">${texts.back}</a></p>
`;
    return { title, body };
  },
});

function facts(statement: MonthlyStatement, { lang }: Visit): Html {
  const { labels } = statementsTexts(lang);
  const { openingDebt, debtGrown, debtRepaid, closingDebt, currency } = statement;
  const isIndebted = openingDebt + debtGrown + debtRepaid + closingDebt > 0n;
  const debt = (cents: bigint) => isIndebted && amountIn(lang, cents, currency);
  return factList([
    [labels.opening, amountIn(lang, statement.opening, currency)],
    [labels.closing, amountIn(lang, statement.closing, currency)],
    [labels.openingDebt, debt(openingDebt)],
    [labels.debtGrown, debt(debtGrown)],
    [labels.debtRepaid, debt(debtRepaid)],
    [labels.closingDebt, debt(closingDebt)],
  ]);
}

function lines({ lines: all, currency }: MonthlyStatement, { lang }: Visit): Html {
  const texts = statementsTexts(lang);
  if (all.length === 0) return html`<p>${texts.nothing}</p>\n`;
  return table(
    { label: texts.lines, columns: texts.lineColumns.map((title, place) => ({ title, number: place > 2 })) },
    all.map(({ kind, zone, months, count, sum }) => [
      moneyTexts(lang).kinds[kind],
      zone ?? '',
      months === null ? '' : periodText(months),
      count,
      amountIn(lang, sum, currency),
    ]),
  );
}

export const statementFiles: readonly ConsoleExport[] = [
  {
    path: '/statements/:month/pdf',
    right: 'money',
    download: async (parts, visit, input) => {
      const statement = await loadStatement(parts, visit, input);
      if (!statement) return undefined;
      const bytes = await printStatement(statement, parts.policy.billing.seller);
      return wholeFile(`statement-${statement.month}.pdf`, 'application/pdf', bytes);
    },
  },
  {
    path: '/statements/:month/csv',
    right: 'money',
    download: async (parts, visit, input) => {
      const statement = await loadStatement(parts, visit, input);
      const type = 'text/csv; charset=utf-8';
      return statement && wholeFile(`statement-${statement.month}.csv`, type, statementCsv(statement));
    },
  },
];

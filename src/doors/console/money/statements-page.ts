import { Temporal } from 'temporal-polyfill';
import { listOwnStatements, type OwnStatement } from '../../../billing/statements/list-own-statements.ts';
import { isMonth } from '../../../billing/statements/find-statements.ts';
import { amountIn } from '../../html/amount-in.ts';
import { monthIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { pager } from '../../html/pager.ts';
import { table } from '../../html/table.ts';
import { listTexts } from '../list-texts.ts';
import { consoleAddress, definePage, type Visit } from '../console-page.ts';
import { statementsTexts } from './statements-texts.ts';

const MONTHS_SHOWN = 24;

/** The registrar's account, month by month. */
export const statementsPage = definePage({
  path: '/statements',
  right: 'money',
  menu: 'statements',
  load: async ({ database }, { principal }, { query }) => {
    const before = isMonth(query('before')) ? query('before') : undefined;
    const page = await listOwnStatements(database.reads, principal.registrarId, before, MONTHS_SHOWN);
    return { ...page, isFirst: before === undefined };
  },
  view: ({ rows, next, isFirst }, visit) => {
    const texts = statementsTexts(visit.lang);
    const paging = listTexts(visit.lang);
    const body = html`<h1>${texts.title}</h1>
<p>${texts.lead}</p>
${rows.length === 0 ? html`<p>${texts.none}</p>\n` : statementRows(rows, visit)}${pager({
  label: paging.pages,
  start: isFirst ? undefined : { text: paging.toStart, href: consoleAddress('/statements') },
  next:
    next === undefined
      ? undefined
      : { text: paging.next, href: consoleAddress('/statements', { before: next }) },
})}`;
    return { title: texts.title, body };
  },
});

function statementRows(rows: readonly OwnStatement[], { lang }: Visit): Html {
  const texts = statementsTexts(lang);
  return table(
    {
      label: texts.title,
      columns: texts.columns.map((title, place) => ({ title, number: place > 0 && place < 5 })),
    },
    rows.map(({ month, opening, change, closing, debt, currency }) => {
      const name = monthIn(lang, month);
      const address = statementAddress(month);
      return [
        html`<a href="${address}">${name}</a>`,
        ...[opening, change, closing].map((cents) => amountIn(lang, cents, currency)),
        debt === '0' ? '' : amountIn(lang, debt, currency),
        html`<span class="files"><a href="${address}/pdf" aria-label="${texts.pdfOf(name)}">PDF</a> <a href="${entriesAddress(month)}" aria-label="${texts.csvOf(name)}">CSV</a></span>`,
      ];
    }),
  );
}

/** One line for each charge and credit of a month. */
export function entriesAddress(month: string): string {
  const { day } = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 31 });
  return consoleAddress('/balance.csv', { from: `${month}-01`, to: `${month}-${day}` });
}

export const statementAddress = (month: string): string => consoleAddress(`/statements/${month}`);

import { FIGURES } from '../../../registry/figures/domain-events.ts';
import {
  lastMonths,
  type MonthFigures,
  readBalances,
  readFigures,
} from '../../../registry/figures/read-figures.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { amountIn } from '../../html/amount-in.ts';
import { barChart, type Chart, lineChart } from '../../html/chart.ts';
import { monthIn } from '../../html/language.ts';
import { type Html, html, type Language } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { definePage, type Visit } from '../console-page.ts';
import { figuresTexts } from './figures-texts.ts';

/** What became of the registrar's domains month by month, and the balance for those who may see money. */
export const figuresPage = definePage({
  path: '/figures',
  right: 'read',
  menu: 'figures',
  load: async ({ database, policy: { timeZone } }, { principal, may, now }) => {
    const months = lastMonths(now, timeZone);
    const [figures, balances] = await Promise.all([
      inListTurn(database, principal, (db) => readFigures(db, months, timeZone, principal)),
      may('money') ? readBalances(database.reads, months, timeZone, principal) : undefined,
    ]);
    return { figures, balances };
  },
  view: ({ figures, balances }, { lang }: Visit, { policy: { currency } }) => {
    const texts = figuresTexts(lang);
    const charts = FIGURES.map((figure) =>
      chartOf(
        texts.headings[figure],
        barChart({
          id: figure,
          title: texts.headings[figure],
          tick: texts.tick,
          ...described(
            figures.map(({ month, [figure]: value }) => ({ month, value, text: texts.number(value) })),
            lang,
          ),
        }),
      ),
    );
    return {
      title: texts.title,
      body: html`<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
<div class="charts">${charts}${balances && balanceChart(figures, balances, currency, lang)}</div>
<h2>${texts.numbers}</h2>
${numbersTable(figures, balances, currency, lang)}<p class="quiet">${texts.meaning}</p>
`,
    };
  },
});

const chartOf = (heading: string, drawing: Html): Html =>
  html`<figure><h2>${heading}</h2>
${drawing}</figure>
`;

type Value = { readonly month: string; readonly value: number | null; readonly text: string };

/** The least, the greatest and the last of the values in one sentence. */
function described(values: readonly Value[], lang: Language): Pick<Chart, 'points' | 'description'> {
  const texts = figuresTexts(lang);
  const points = values.map(({ month, ...point }) => ({ label: monthIn(lang, month), ...point }));
  const known = points.flatMap((point) => (point.value === null ? [] : [{ ...point, value: point.value }]));
  const sorted = known.toSorted((one, other) => one.value - other.value);
  const [least, greatest, last] = [sorted[0], sorted.at(-1), known.at(-1)];
  const description =
    least && greatest && last ? texts.range(least.text, greatest.text, last.text, last.label) : texts.nothing;
  return { points, description };
}

type Balances = readonly (string | null)[];

function balanceChart(
  figures: readonly MonthFigures[],
  balances: Balances,
  currency: string,
  lang: Language,
): Html {
  const texts = figuresTexts(lang);
  const values = figures.map(({ month }, place) => {
    const cents = balances[place] ?? null;
    const value = cents === null ? null : Number(cents) / 100;
    return { month, value, text: cents === null ? '–' : amountIn(lang, cents, currency) };
  });
  const title = texts.balance(currency);
  return chartOf(title, lineChart({ id: 'balance', title, tick: texts.tick, ...described(values, lang) }));
}

/** Newest first, as the other lists. */
function numbersTable(
  figures: readonly MonthFigures[],
  balances: Balances | undefined,
  currency: string,
  lang: Language,
): Html {
  const texts = figuresTexts(lang);
  const columns = [
    { title: texts.month },
    ...FIGURES.map((figure) => ({ title: texts.headings[figure], number: true })),
    ...(balances ? [{ title: texts.balance(currency), number: true }] : []),
  ];
  const rows = figures.map((month, place) => {
    const balance = balances?.[place] ?? null;
    return [
      monthIn(lang, month.month),
      ...FIGURES.map((figure) => texts.number(month[figure])),
      ...(balances ? [balance === null ? '–' : amountIn(lang, balance, currency)] : []),
    ];
  });
  return table({ label: texts.numbers, columns }, rows.toReversed());
}

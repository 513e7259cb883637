import type { Figure } from '../../../registry/figures/domain-events.ts';
import type { MonthFigures } from '../../../registry/figures/read-figures.ts';
import { monthIn, monthNameIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { stackedBars } from '../../html/stacked-bars.ts';
import { table } from '../../html/table.ts';
import { consoleAddress, type Visit } from '../console-page.ts';
import { figuresTexts } from '../figures/figures-texts.ts';
import { frameTexts } from '../frame-texts.ts';
import { startTexts } from './start-texts.ts';

const SHOWN = ['registered', 'renewed', 'deleted'] as const;

/** What became of the domains in the last twelve months, each beside the same month of the year before. */
export function yearCard(figures: readonly MonthFigures[], { lang }: Visit): Html {
  const texts = startTexts(lang);
  const { headings, number } = figuresTexts(lang);
  const [before, year] = [figures.slice(-24, -12), figures.slice(-12)];
  const sumOf = (figure: Figure) => year.reduce((sum, month) => sum + month[figure], 0);
  const described = (of: (figure: Figure) => number) =>
    texts.monthsAre(number(of('registered')), number(of('renewed')), number(of('deleted')));
  const monthText = (month: MonthFigures) => described((figure) => month[figure]);
  const drawing = stackedBars({
    id: 'year',
    title: texts.months,
    description: described(sumOf),
    series: SHOWN.map((figure) => ({ label: headings[figure], isBelow: figure === 'deleted' })),
    bars: year.map((month, place) => ({
      label: monthNameIn(lang, month.month),
      values: SHOWN.map((figure) => month[figure]),
      text: [month, ...before.slice(place, place + 1)]
        .map((each) => `${monthIn(lang, each.month)}: ${monthText(each)}`)
        .join('\n'),
      isUnfinished: place === year.length - 1,
    })),
    number,
  });
  const columns = [
    { title: figuresTexts(lang).month },
    ...SHOWN.map((figure) => ({ title: headings[figure], number: true })),
  ];
  const rows = year.map((month) => [
    monthIn(lang, month.month),
    ...SHOWN.map((figure) => number(month[figure])),
  ]);
  return html`<section class="card year"><h2>${texts.months}</h2>
${drawing}<details><summary>${texts.asTable}</summary>
${table({ label: texts.months, columns }, rows.toReversed())}</details>
<ul class="actions"><li><a href="${consoleAddress('/figures')}">${frameTexts(lang).items.figures}</a></li></ul>
</section>
`;
}

import { niceTicks } from './chart.ts';
import { type Html, html } from './layout.ts';

export type Series = { readonly label: string; readonly isBelow?: boolean };

export type StackedBars = {
  /** Unique in its page. */
  readonly id: string;
  readonly title: string;
  /** One sentence of what it shows. */
  readonly description: string;
  /** At most three; those below stand under the line. */
  readonly series: readonly Series[];
  /** Oldest first, with a number for each of the series. */
  readonly bars: readonly {
    readonly label: string;
    readonly values: readonly number[];
    /** All of its numbers, shown on hover. */
    readonly text: string;
    readonly isUnfinished?: boolean;
  }[];
  readonly number: (value: number) => string;
};

/** In units of the view box, which is stretched to the width of the page. */
const [STEP, GAP, HEIGHT] = [10, 3, 100];

/** A bar of several parts for each month, with its legend. The labels are text of the page, legible at every width. */
export function stackedBars({ id, title, description, series, bars, number }: StackedBars): Html {
  const sumOf = (values: readonly number[], isBelow: boolean) =>
    values.reduce(
      (sum, value, place) => ((series[place]?.isBelow ?? false) === isBelow ? sum + value : sum),
      0,
    );
  const highest = Math.max(0, ...bars.map(({ values }) => sumOf(values, false)));
  const lowest = Math.max(0, ...bars.map(({ values }) => sumOf(values, true)));
  const above = niceTicks(highest);
  const unit = above[1] ?? 1;
  const below = Array.from({ length: Math.ceil(lowest / unit) }, (_, place) => (place + 1) * unit);
  const height = HEIGHT / (above.length - 1 + below.length);
  const line = (above.length - 1) * height;
  const tall = (value: number) => (value === 0 ? 0 : Math.max((value / unit) * height, 1));
  const ticks = [...above.toReversed(), ...below];
  const columns = bars.map(({ values, text, isUnfinished }, place) => {
    let [top, bottom] = [line, line];
    const parts = values.map((value, each) => {
      const size = tall(value);
      const y = series[each]?.isBelow ? bottom : top - size;
      if (series[each]?.isBelow) bottom += size;
      else top -= size;
      return html`<rect class="part-${each + 1}" x="${place * STEP + GAP / 2}" y="${at(y)}" width="${STEP - GAP}" height="${at(size)}"/>`;
    });
    return html`<g${isUnfinished && html` class="unfinished"`}><title>${text}</title><rect class="ground" x="${place * STEP}" y="0" width="${STEP}" height="${HEIGHT}"/>${parts}</g>
`;
  });
  const grid = ticks.map((_, place) => {
    const y = at(place * height);
    return html`<line class="grid" x1="0" x2="${bars.length * STEP}" y1="${y}" y2="${y}"/>`;
  });
  const legend = series.map(({ label }, place) => {
    const sum = bars.reduce((total, { values }) => total + (values[place] ?? 0), 0);
    return html`<li class="part-${place + 1}">${label} <strong>${number(sum)}</strong></li>`;
  });
  return html`<ul class="legend">${legend}</ul>
<div class="stacked"><div class="scale" aria-hidden="true">${ticks.map((value) => html`<span>${number(value)}</span>`)}</div>
<svg role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text" viewBox="0 0 ${bars.length * STEP} ${HEIGHT}" preserveAspectRatio="none">
<title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc>
${grid}${columns}</svg>
<div class="names" aria-hidden="true">${bars.map(({ label }) => html`<span>${label}</span>`)}</div></div>
`;
}

const at = (coordinate: number): string => String(Math.round(coordinate * 100) / 100);

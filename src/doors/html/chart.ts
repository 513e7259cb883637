import { type Html, html } from './layout.ts';

export type Chart = {
  /** Unique in its page. */
  readonly id: string;
  /** The accessible name. */
  readonly title: string;
  /** One sentence of what it shows. */
  readonly description: string;
  /** Oldest first; null where there is none. */
  readonly points: readonly {
    readonly label: string;
    readonly value: number | null;
    readonly text: string;
  }[];
  /** How the numbers of the axis are written. */
  readonly tick: (value: number) => string;
};

/** In units of the view box, which are pixels on the narrowest screens: texts stay legible there. */
const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [320, 150, 54, 10, 24];
const PLOT = { width: WIDTH - LEFT, height: HEIGHT - TOP - BOTTOM };
const GAP = 0.25;

/** A bar for each point. */
export const barChart = (chart: Chart): Html =>
  drawing(chart, (step, height) =>
    chart.points.map(({ label, value, text }, place) => {
      // Hovering over a bar tells its number.
      const title = html`<title>${label}: ${text}</title>`;
      const tall = value ? Math.max(height(value), 1) : 0;
      return html`<rect class="bar" x="${at(LEFT + (place + GAP / 2) * step)}" y="${at(HEIGHT - BOTTOM - tall)}" width="${at(step * (1 - GAP))}" height="${at(tall)}">${title}</rect>`;
    }),
  );

/** A line that has gaps where there are no values. */
export const lineChart = (chart: Chart): Html =>
  drawing(chart, (step, height) => {
    const places = chart.points.map(({ value }, place) =>
      value === null
        ? undefined
        : `${at(LEFT + (place + 0.5) * step)} ${at(HEIGHT - BOTTOM - height(value))}`,
    );
    const path = places.map((place, index) =>
      place === undefined ? '' : `${places[index - 1] === undefined ? 'M' : 'L'}${place}`,
    );
    const dots = chart.points.map(({ label, text }, place) => {
      const [x, y] = places[place]?.split(' ') ?? [];
      return (
        x !== undefined &&
        y !== undefined &&
        html`<circle class="dot" cx="${x}" cy="${y}" r="2.5"><title>${label}: ${text}</title></circle>`
      );
    });
    return [html`<path class="line" d="${path.join('')}"/>`, ...dots];
  });

function drawing(
  { id, title, description, points, tick }: Chart,
  marks: (step: number, height: (value: number) => number) => readonly (Html | false)[],
): Html {
  const ticks = niceTicks(Math.max(0, ...points.map(({ value }) => value ?? 0)));
  const top = ticks.at(-1) ?? 1;
  const height = (value: number) => (value / top) * PLOT.height;
  const lines = ticks.map((value) => {
    const y = at(HEIGHT - BOTTOM - height(value));
    return html`<line class="grid" x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}"/><text x="${LEFT - 6}" y="${y}" dy=".35em" text-anchor="end">${tick(value)}</text>`;
  });
  const baseline = HEIGHT - 6;
  return html`<svg class="chart" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<title id="${id}-title">${title}</title><desc id="${id}-text">${description}</desc>
${lines}${marks(PLOT.width / points.length, height)}
<text x="${LEFT}" y="${baseline}">${points[0]?.label}</text><text x="${WIDTH}" y="${baseline}" text-anchor="end">${points.at(-1)?.label}</text>
</svg>
`;
}

const at = (coordinate: number): string => String(Math.round(coordinate * 10) / 10);

/** From zero to at least `max`, in steps of 1, 2 or 5 times a power of ten: at most four of them, whole numbers. */
export function niceTicks(max: number): number[] {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(max, 1) / 4)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => max / each <= 4) ?? 10 * power;
  return Array.from({ length: Math.max(2, Math.ceil(max / step) + 1) }, (_, place) => place * step);
}

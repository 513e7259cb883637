import { expect, test } from 'vitest';
import { barChart, type Chart, lineChart, niceTicks } from '../../../src/doors/html/chart.ts';

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [17, [0, 5, 10, 15, 20]],
  [40, [0, 10, 20, 30, 40]],
  [99, [0, 50, 100]],
  [1234, [0, 500, 1000, 1500]],
  [2_000_000, [0, 500_000, 1_000_000, 1_500_000, 2_000_000]],
])('success: an axis up to %i', (max, ticks) => {
  expect(niceTicks(max)).toEqual(ticks);
});

const chart = (values: readonly (number | null)[]): Chart => ({
  id: 'c',
  title: 'A & B',
  description: 'Of <all>',
  tick: String,
  points: values.map((value, place) => ({ label: `month ${place}`, value, text: `${value}` })),
});

test('success: bars are as tall as their values, and the smallest can be seen', () => {
  const text = String(barChart(chart([0, 1, 500, 1000])));
  const bars = [...text.matchAll(/<rect [^>]*height="([\d.]+)"/g)].map(([, height]) => Number(height));
  expect(bars).toEqual([0, 1, 58, 116]);
  expect(text).toContain('role="img" aria-labelledby="c-title" aria-describedby="c-text"');
  expect(text).toContain('<title id="c-title">A &amp; B</title><desc id="c-text">Of &lt;all&gt;</desc>');
});

test('success: a line starts again after a gap', () => {
  const [, path] = /class="line" d="([^"]*)"/.exec(String(lineChart(chart([null, 2, 4, null, 0])))) ?? [];
  expect(path?.match(/[ML]/g)).toEqual(['M', 'L', 'M']);
  expect(String(lineChart(chart([null, null])))).toContain('d=""');
});

import { expect, test } from 'vitest';
import { stackedBars } from '../../../src/doors/html/stacked-bars.ts';

const drawn = (bars: readonly (readonly number[])[]) =>
  String(
    stackedBars({
      id: 's',
      title: 'A & B',
      description: 'Of <all>',
      series: [{ label: 'new' }, { label: 'renewed' }, { label: 'gone', isBelow: true }],
      bars: bars.map((values, place) => ({ label: `m${place}`, values, text: `month ${place}: ${values}` })),
      number: String,
    }),
  );
const partsOf = (text: string) =>
  Array.from(text.matchAll(/class="part-(\d)" x="[\d.]+" y="([\d.]+)" [^>]*height="([\d.]+)"/g), (part) =>
    part.slice(1).map(Number),
  );

test('success: parts stand on each other, and those below hang from the line', () => {
  const text = drawn([[1, 2, 1]]);
  // Three steps above the line and one below, of 25 each.
  expect(partsOf(text)).toEqual([
    [1, 50, 25],
    [2, 0, 50],
    [3, 75, 25],
  ]);
  expect(Array.from(text.matchAll(/<span>([^<]+)<\/span>/g), ([, tick]) => tick)).toEqual([
    '3',
    '2',
    '1',
    '0',
    '1',
    'm0',
  ]);
});

test('success: the smallest part can be seen, and nothing is drawn of nothing', () => {
  expect(partsOf(drawn([[1, 10_000, 0]])).map(([, , height]) => height)).toEqual([1, 66.67, 0]);
  expect(partsOf(drawn([[0, 0, 0]])).map(([, , height]) => height)).toEqual([0, 0, 0]);
});

test('success: sums in the legend, numbers on hover, texts escaped', () => {
  const text = drawn([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  expect(text).toContain('<li class="part-2">renewed <strong>7</strong></li>');
  expect(text).toContain('<title>month 1: 4,5,6</title>');
  expect(text).toContain('<title id="s-title">A &amp; B</title><desc id="s-text">Of &lt;all&gt;</desc>');
});

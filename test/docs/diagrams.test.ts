import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DIAGRAMS, diagramNames, drawDiagram } from '../../scripts/draw-diagram.ts';
import { everyPage, readPage } from './markdown.ts';

const textOf = (file: string): string => readFileSync(path.join(DIAGRAMS, file), 'utf8');

test.each(diagramNames())('success: docs/diagrams/%s.svg is what npm run diagrams draws', async (name) => {
  expect(textOf(`${name}.svg`)).toBe(await drawDiagram(textOf(`${name}.dot`)));
});

test.each(diagramNames())('success: %s is on a page, without inline styles or scripts', (name) => {
  expect(everyPage().filter((page) => readPage(page).includes(`diagrams/${name}.svg)`))).not.toEqual([]);
  expect(textOf(`${name}.svg`)).not.toMatch(/ style=|<script|<!--/);
});

test('success: every drawing has its source', () => {
  const drawn = readdirSync(DIAGRAMS).filter((file) => file.endsWith('.svg'));
  expect(drawn.map((file) => file.replace(/\.svg$/, '')).sort()).toEqual(diagramNames().sort());
});

test('failure: a source without a title is refused', async () => {
  await expect(drawDiagram('digraph nameless { a -> b }')).rejects.toThrow('its title');
});

test('failure: a source that is no DOT is refused', async () => {
  await expect(drawDiagram('// Broken.\ndigraph {')).rejects.toThrow('syntax error');
});

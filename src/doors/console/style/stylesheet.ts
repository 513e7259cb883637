import { readFileSync } from 'node:fs';
import { fontFaces } from '../../html/fonts.ts';

const SHEETS = [
  'tokens',
  'base',
  'shell',
  'filters',
  'lists',
  'inbox',
  'forms',
  'parts',
  'overview',
  'print',
];

/** What the pages of the console look like. */
export const consoleStylesheet =
  fontFaces + SHEETS.map((name) => readFileSync(new URL(`./${name}.css`, import.meta.url), 'utf8')).join('');

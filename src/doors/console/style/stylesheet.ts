import { readFileSync } from 'node:fs';

const PACKAGE = '@fontsource-variable/ibm-plex-sans';
const read = (file: string): Buffer => readFileSync(new URL(import.meta.resolve(`${PACKAGE}/${file}`)));

/** Latin letters, and the Estonian ones beyond them (š and ž), which browsers load when a page has one. */
export const fonts = ['latin', 'latin-ext'].map((name) => {
  const file = `files/ibm-plex-sans-${name}-wght-normal.woff2`;
  return { name, file, content: read(file) };
});

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

/** What the pages of the console look like; `addressOf` says where a file of a font is served. */
export function stylesheetOf(addressOf: (name: string) => string): string {
  const rules = read('index.css').toString().split('@font-face');
  const faces = fonts.map(({ name, file }) => {
    const rule = rules.find((each) => each.includes(file)) ?? '';
    return `@font-face${rule.slice(0, rule.indexOf('}') + 1).replace(`./${file}`, addressOf(name))}\n`;
  });
  const sheets = SHEETS.map((name) => readFileSync(new URL(`./${name}.css`, import.meta.url), 'utf8'));
  return [...faces, ...sheets].join('');
}

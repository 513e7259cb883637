import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const PACKAGE = '@fontsource-variable/ibm-plex-sans';
const read = (file: string): Buffer => readFileSync(new URL(import.meta.resolve(`${PACKAGE}/${file}`)));

/** Latin letters, and the Estonian ones beyond them (š and ž), which browsers load when a page has one. */
export const fonts = ['latin', 'latin-ext'].map((name) => {
  const file = `files/ibm-plex-sans-${name}-wght-normal.woff2`;
  const content = read(file);
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { file, content, path: `/fonts/plex-${name}-${digest}.woff2` };
});

const rules = read('index.css').toString().split('@font-face');

/** The rules by which all pages have one typeface. */
export const fontFaces = fonts
  .map(({ file, path }) => {
    const rule = rules.find((each) => each.includes(file)) ?? '';
    return `@font-face${rule.slice(0, rule.indexOf('}') + 1).replace(`./${file}`, path)}\n`;
  })
  .join('');

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 A and AA, and best practices of axe. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * The violations that axe finds in the page, each with its elements. The page must be allowed to run scripts. What is
 * opened in it afterwards has axe from its start, which takes a third of sending the half megabyte each time.
 */
export async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) {
    await page.addInitScript(source);
    await page.evaluate(source);
  }
  return page.evaluate<
    string[]
  >(`axe.run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'], preload: false })
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`);
}

import type { Page } from 'playwright-core';
import { violationsOf } from './axe.ts';
import { overflowOf } from './inspection.ts';

export type RenderedDocument = {
  readonly status: number;
  readonly lang: string | null;
  readonly violations: readonly string[];
  readonly overflow: number;
};

/**
 * What axe and the layout say of a document as the server renders it, in a page that is open at the same server and
 * stays open: a navigation would compile axe anew, which takes longer than its work. Scripts of the document do not run;
 * where its policy refuses the replacement, the page is opened with `bypassCSP`.
 */
export async function inspectRendered(page: Page, url: string): Promise<RenderedDocument> {
  const answer = await page.request.get(url, { maxRedirects: 0 });
  await page.evaluate(`(${SHOW})(${JSON.stringify({ html: await answer.text(), url })})`);
  return {
    status: answer.status(),
    lang: await page.locator('html').getAttribute('lang'),
    violations: await violationsOf(page),
    overflow: await overflowOf(page),
  };
}

// Runs in the page; a text, because the types of this project know no DOM.
const SHOW = `async ({ html, url }) => {
  history.replaceState(null, '', url);
  const { documentElement } = new DOMParser().parseFromString(html, 'text/html');
  document.replaceChild(document.adoptNode(documentElement), document.documentElement);
  const styles = Array.from(document.querySelectorAll('link[rel=stylesheet]')).filter(({ sheet }) => sheet === null);
  await Promise.all(styles.map((link) => new Promise((resolve) => { link.onload = link.onerror = resolve; })));
}`;

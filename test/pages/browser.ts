import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../scripts/browser.mjs';

const program = findChromium();

/** Why the page tests cannot run here; undefined where they can. */
export const noBrowser = program === undefined ? 'there is no Chromium on this machine' : undefined;
if (noBrowser) process.stderr.write(`Page tests are skipped: ${noBrowser}.\n`);

const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The system's Chromium without a window; root has to do without its inner sandbox. */
export function launchBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox', ...QUIET] : QUIET;
  return chromium.launch({ ...(program && { executablePath: program }), args });
}

/** What a page did that nobody saw. */
export type Observed = { readonly complaints: string[]; readonly requests: string[] };

/** Opens a fresh page in a fresh context, watches what it does, and closes both whatever happens. */
export async function withPage<T>(
  browser: Browser,
  options: BrowserContextOptions,
  visit: (page: Page, observed: Observed) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const observed: Observed = { complaints: [], requests: [] };
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) observed.complaints.push(message.text());
    });
    page.on('pageerror', (error) => observed.complaints.push(error.message));
    page.on('request', (request) => observed.requests.push(request.url()));
    return await visit(page, observed);
  } finally {
    await context.close();
  }
}

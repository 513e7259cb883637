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

/** The system's Chromium, headless; as root without its own sandbox. */
function launchBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox', ...QUIET] : QUIET;
  return chromium.launch({ ...(program && { executablePath: program }), args });
}

let browser: Promise<Browser> | undefined;

/** One for all tests of a file. */
const sharedBrowser = (): Promise<Browser> => (browser ??= launchBrowser());

/** After the tests of a file: a browser that is killed with its worker leaves its profile behind. */
export async function closeBrowser(): Promise<void> {
  const open = await browser;
  browser = undefined;
  idlePages.clear();
  await open?.close();
}

/** Errors, warnings and requests of a page. */
export type Observed = { readonly complaints: string[]; readonly requests: string[] };

/** Idle pages, each in a context of its own, by the options of that context: a new one costs a process. */
const idlePages = new Map<string, Page[]>();

/** Opens a page without state, records what it does, and clears its state for the next one. */
export async function withPage<T>(
  options: BrowserContextOptions,
  visit: (page: Page, observed: Observed) => Promise<T>,
): Promise<T> {
  const key = JSON.stringify(options);
  const page = idlePages.get(key)?.pop() ?? (await newPage(options));
  const observed: Observed = { complaints: [], requests: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) observed.complaints.push(message.text());
  });
  page.on('pageerror', (error) => observed.complaints.push(error.message));
  page.on('request', (request) => observed.requests.push(request.url()));
  const failed: string[] = [];
  page.on('requestfailed', (request) => failed.push(`${request.url()}: ${request.failure()?.errorText}`));
  let isClear = false;
  try {
    const result = await visit(page, observed);
    isClear = await clear(page, options);
    return result;
  } catch (error) {
    // What stands on the page is not always why it is so.
    if (error instanceof Error)
      error.message += `\n${[page.url(), ...observed.complaints, ...failed].join('\n')}`;
    throw error;
  } finally {
    if (isClear) idlePages.set(key, [...(idlePages.get(key) ?? []), page]);
    else await page.context().close();
  }
}

async function newPage(options: BrowserContextOptions): Promise<Page> {
  const context = await (await sharedBrowser()).newContext(options);
  return context.newPage();
}

/** False if the page is still navigating. */
async function clear(page: Page, { viewport }: BrowserContextOptions): Promise<boolean> {
  page.removeAllListeners();
  const isBlank = await page.goto('about:blank').then(
    () => true,
    () => false,
  );
  if (!isBlank) return false;
  await page.context().clearCookies();
  if (viewport) await page.setViewportSize(viewport);
  return true;
}

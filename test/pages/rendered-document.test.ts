import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { inspectRendered } from './rendered-document.ts';

const DOCUMENTS: Readonly<Record<string, string>> = {
  '/good':
    '<!doctype html><html lang="en"><head><title>Good</title><link rel="stylesheet" href="/style"></head><body><main><h1>Text</h1></main></body></html>',
  '/bad':
    '<!doctype html><html lang="et"><head><title>Bad</title><link rel="stylesheet" href="/style"></head><body><main><h1>Text</h1><p class="faint">Text</p><img src="/x"><input><div class="wide"></div></main></body></html>',
  '/style': '.faint { color: #aaa } .wide { width: 2000px; height: 1px }',
};

describe.skipIf(noBrowser)('the inspection of rendered documents', () => {
  const server = createServer(({ url = '' }, answer) => {
    answer.setHeader('content-type', url === '/style' ? 'text/css' : 'text/html; charset=utf-8');
    answer.end(DOCUMENTS[url] ?? '');
  });
  let origin: string;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => Promise.all([closeBrowser(), server.close()]));

  test('failure: violations, also those of a style sheet, and what is too wide, but not of the document before', async () => {
    await withPage({ viewport: { width: 500, height: 500 } }, async (page) => {
      await page.goto(`${origin}/good`);
      const faultless = { status: 200, lang: 'en', violations: [], overflow: 0 };
      expect(await inspectRendered(page, `${origin}/good`)).toEqual(faultless);
      const { violations, overflow, lang } = await inspectRendered(page, `${origin}/bad`);
      expect(violations.map((violation) => violation.split(':', 1)[0])).toEqual(
        expect.arrayContaining(['color-contrast', 'image-alt', 'label']),
      );
      expect(overflow).toBeGreaterThan(1_000);
      expect(lang).toBe('et');
      expect(await inspectRendered(page, `${origin}/good`)).toEqual(faultless);
    });
  });
});

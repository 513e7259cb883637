import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Service } from '../support/billing.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';

const DAY_MS = 86_400_000;

/** Pages of other sites, opened in the browser of a user with a running sandbox. */
describe.skipIf(noBrowser)('a page of another site and the sandbox', () => {
  let registry: TestRegistry;
  let foreign: Server;
  let link: string;
  beforeAll(async () => {
    registry = await startRegistry();
    link = (await new Service(registry.url).invoice('20.00')).link;
    const { url } = registry;
    const target = (path: string) => `action="${url}/sandbox/${path}"`;
    const page = `<!doctype html><title>Foreign</title>
      <a id="pay" href="${link.replaceAll('&', '&amp;')}">pay</a> <a id="mail" href="${url}/sandbox/mail">mail</a>
      <form id="plain" method="post" enctype="text/plain" ${target('clock')}><input name='{"advance":"P400D","x":"' value='"}'></form>
      <form id="urlencoded" method="post" ${target('clock')}><input name="advance" value="P400D"></form>
      <form id="empty" method="post" ${target('reset')}></form>
      <form id="payment" method="post" action="${link.replaceAll('&', '&amp;')}"><input name="outcome" value="settled"></form>`;
    foreign = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(page));
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await Promise.all([closeBrowser(), registry?.stop()]);
    foreign?.close();
  });

  const clock = async () =>
    Date.parse(((await (await fetch(`${registry.url}/sandbox/clock`)).json()) as { now: string }).now);
  const visit = (host: string, what: (page: Page) => Promise<void>) =>
    withPage({}, async (page) => {
      await page.goto(`http://${host}:${(foreign.address() as AddressInfo).port}/`);
      await what(page);
    });
  const statusAfter = async (page: Page, deed: () => Promise<unknown>) => {
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(`${registry.url}/sandbox`)),
      deed(),
    ]);
    return answer.status();
  };

  // The same site on another port, and another site.
  describe.each(['127.0.0.1', 'localhost'])('at %s', (host) => {
    test.each(['plain', 'urlencoded', 'empty', 'payment'])(
      'failure: its form %s changes nothing',
      async (form) => {
        const before = await clock();
        await visit(host, async (page) => {
          const submit = () => page.evaluate(`document.getElementById('${form}').submit()`);
          expect(await statusAfter(page, submit)).toBe(403);
        });
        expect((await clock()) - before).toBeLessThan(DAY_MS);
        expect(
          await new Service(registry.url).status(Number(new URL(link).searchParams.get('invoice_number'))),
        ).toBe('unpaid');
      },
    );

    test('failure: its script neither triggers a control nor reads anything', async () => {
      const before = await clock();
      await visit(host, async (page) => {
        const tried = await page.evaluate(async (url) => {
          const attempt = async (path: string, init: RequestInit) => {
            try {
              return (await fetch(url + path, init)).type;
            } catch {
              return 'refused';
            }
          };
          const body = '{"advance":"P400D"}';
          return [
            await attempt('/sandbox/clock', {}),
            await attempt('/sandbox', {}),
            await attempt('/sandbox/clock', {
              method: 'POST',
              body,
              headers: { 'content-type': 'application/json' },
            }),
            await attempt('/sandbox/clock', { method: 'POST', body, mode: 'no-cors' }),
          ];
        }, registry.url);
        expect(tried.filter((outcome) => outcome !== 'opaque' && outcome !== 'refused')).toEqual([]);
        expect(tried.slice(0, 3)).toEqual(['refused', 'refused', 'refused']);
      });
      expect((await clock()) - before).toBeLessThan(DAY_MS);
    });

    test('failure: its link leads to no control and to no mail', async () => {
      await visit(host, async (page) => {
        expect(await statusAfter(page, () => page.locator('#mail').click())).toBe(403);
      });
    });
  });

  test.each(['127.0.0.1', 'localhost'])(
    'success: a link at %s opens the payment page, where the form works',
    async (host) => {
      await visit(host, async (page) => {
        expect(await statusAfter(page, () => page.locator('#pay').click())).toBe(200);
        await page.getByRole('button', { name: 'Decline' }).click();
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('The payment was declined');
      });
    },
  );
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Service } from '../support/billing.ts';
import { DocumentReceivers } from '../support/documents.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { closeBrowser, noBrowser, withPage } from './browser.ts';
import { lowContrastTextOf, overflowOf } from './inspection.ts';

describe.skipIf(noBrowser)('the documents of a sandbox in a browser', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startRegistry();
    const service = new Service(registry.url);
    const { number } = await service.invoice('20.00', { customer_name: 'Pikanimeline'.repeat(20) });
    await service.post('/directo/directo', { invoice_data: [{ number }] });
    await service.post('/e_invoice/e_invoice', { invoice: { number, buyer_reg_no: '12345678' } });
    await new DocumentReceivers(registry.url).deliveries();
  });
  afterAll(() => Promise.all([closeBrowser(), registry?.stop()]));

  test.each([
    ['accounting', 'Accounting', 1280],
    ['accounting', 'Accounting', 320],
    ['einvoice', 'E-invoices', 320],
  ])('success: %s fits, logs no error and has enough contrast', async (place, heading, width) => {
    const options = { viewport: { width, height: 740 }, javaScriptEnabled: false };
    await withPage(options, async (page, { complaints, requests }) => {
      expect((await page.goto(`${registry.url}/sandbox/${place}`))?.status()).toBe(200);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
      expect(await page.getByRole('article').count()).toBe(1);
      expect(await page.getByRole('group', { name: /^Document of invoice/ }).textContent()).toContain(
        '<?xml',
      );
      expect([await overflowOf(page), await lowContrastTextOf(page), complaints]).toEqual([0, [], []]);
      expect(requests.filter((url) => !url.startsWith(`${registry.url}/`))).toEqual([]);
    });
  });
});

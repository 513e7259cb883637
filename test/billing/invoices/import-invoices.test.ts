import { afterAll, beforeAll, expect, test } from 'vitest';
import { Service } from '../../support/billing.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

/** The largest import there is takes some seconds of the database; several batches show the same in fewer. */
const ENTRIES = process.env.TORTURE ? 50_000 : 2_500;

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

test('success: an import of many batches adds each entry once', async () => {
  const entries = Array.from({ length: ENTRIES }, (_, index) => ({
    invoice_number: 1_000_000 + index,
    transaction_amount: '1.00',
    status: 'paid',
  }));
  const auction = new Service(registry.url);
  const message = async () => (await auction.post('/import_data/invoice_data', entries)).body.message;
  expect(await message()).toMatch(new RegExp(`^Added ${ENTRIES} invoices, skipped 0\\.`));
  expect(await message()).toMatch(new RegExp(`^Added 0 invoices, skipped ${ENTRIES}\\.`));
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ExportTarget } from '../../src/billing/exports/export-outcome.ts';
import { json } from '../../src/platform/sql/statement.ts';
import { Service } from '../support/billing.ts';
import { withoutTrace } from '../support/books.ts';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { alpha, poor } from '../support/client.ts';
import { DocumentReceivers } from '../support/documents.ts';
import { brokenRules } from '../support/en16931.ts';
import { samplesAt } from '../support/metrics.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { NOTICED } from '../support/waiting.ts';

let registry: TestRegistry;
let auction: Service;
let takers: DocumentReceivers;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  takers = new DocumentReceivers(registry.url);
});
afterAll(() => registry.stop());

const run = (...args: string[]) =>
  cadastre(args, { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
const unsettled = async (): Promise<
  { invoiceNumber: number; target: string; state: string; reason: string | null }[]
> => JSON.parse((await run('billing', 'exports', '--json')).stdout);
const reject = async (): Promise<number> => {
  const numbers = [(await auction.invoice()).number, (await auction.invoice()).number];
  await takers.fault('accounting', 'half', 1);
  await auction.post('/directo/directo', { invoice_data: numbers.map((number) => ({ number })) });
  await takers.deliveries();
  return Math.max(...numbers);
};

async function issueBulk(): Promise<number> {
  const { number } = await auction.invoice('10.00');
  await auction.post('/invoice_generator/bulk_payment', {
    customer_url: 'https://auction.example/done',
    description: String(number),
    transaction_amount: '10.00',
    custom_field2: 'auction',
  });
  const bulk = sql<{ number: number }>`select max(number) as number from invoices where kind = 'bulk'`;
  return (await registry.sql.one(bulk)).number;
}
async function issueCancelled(): Promise<number> {
  const { number } = await auction.invoice();
  await run('billing', 'cancel', String(number), '--reason', 'x', '--yes');
  return number;
}
async function issueAbroad(): Promise<number> {
  await run('registrar', 'invoice-details', 'POOR', '--country', 'LV');
  const { body } = await poor(registry.url).post('/invoices/add_credit', { invoice: { amount: '10.00' } });
  return body.data.invoice.invoice_number;
}
/** An invoice that was rejected as an e-invoice for this buyer. */
async function rejectedFor(buyer: object): Promise<number> {
  const { number } = await auction.invoice();
  await registry.sql.run(sql`
    insert into invoice_exports (invoice_number, target, state, details, requested_at, actor, answered_at, reason)
    values (${number}, 'einvoice', 'rejected', ${json({ buyer })}, now(), 'auction', now(), 'No recipient')`);
  return number;
}

describe('cadastre billing exports, export and exported', () => {
  const rejected = async () => (await samplesAt(registry.metricsUrl)).get('cadastre_exports_rejected');

  test('success: rejected exports are shown with their reason, and sent again', async () => {
    expect(await run('billing', 'exports')).toMatchObject({ code: 0, stdout: '(none)\n' });
    const number = await reject();
    expect(await unsettled()).toMatchObject([
      {
        invoiceNumber: number,
        target: 'accounting',
        state: 'rejected',
        reason: expect.stringContaining('Unknown customer'),
      },
    ]);
    await expect.poll(rejected, NOTICED).toBe(1);
    expect((await run('billing', 'show', String(number))).stdout).toMatch(
      /exports +accounting rejected Unknown/,
    );
    expect(await run('billing', 'export', 'accounting', String(number))).toMatchObject({
      code: 0,
      stdout: `Invoice ${number} is on its way to accounting.\n`,
    });
    await takers.deliveries();
    expect(await unsettled()).toEqual([]);
    expect((await run('billing', 'export', 'accounting', String(number))).stdout).toMatch(/not sent again/);
    await expect.poll(rejected, NOTICED).toBe(0);
  });

  test('success: an export made by hand is recorded, and not sent', async () => {
    const number = await reject();
    const order = [
      'billing',
      'exported',
      'accounting',
      String(number),
      '--reason',
      'entered by the bookkeeper',
    ];
    expect(await run(...order)).toMatchObject({ code: 0, stdout: `Invoice ${number} is at accounting.\n` });
    expect(await unsettled()).toEqual([]);
    expect((await auction.get(`/invoices/${number}`)).body.accounting).toMatchObject({
      state: 'accepted',
      reason: 'entered by the bookkeeper',
    });
    expect((await run(...order)).stderr).toBe(`Invoice ${number} is at accounting already.\n`);
  });

  test('success: exports that wait for an unavailable service are shown, also given-up ones', async () => {
    const { number } = await auction.invoice();
    await takers.fault('accounting', 'down', 1_000);
    await run('billing', 'export', 'accounting', String(number));
    await takers.deliveries();
    expect(await unsettled()).toMatchObject([{ invoiceNumber: number, state: 'waiting' }]);
    await takers.advance('P3DT1H');
    const [row] = await unsettled();
    expect(row).toMatchObject({
      invoiceNumber: number,
      state: 'given up',
      reason: expect.stringContaining('No answer'),
    });
    await takers.fault('accounting', 'none');
    await run('delivery', 'retry', (await takers.sentTo('accounting'))[0]?.id ?? '');
    await takers.deliveries();
    expect(await unsettled()).toEqual([]);
  });

  test("success: a registrar's top-up as an e-invoice, once its details are known", async () => {
    const reply = await alpha(registry.url).post('/invoices/add_credit', { invoice: { amount: '100.00' } });
    const number = String(reply.body.data.invoice?.invoice_number);
    expect((await run('billing', 'export', 'einvoice', number)).stderr).toBe(
      'buyer_reg_no is missing: an e-invoice is addressed by it.\n',
    );
    const details = [
      '--country',
      'ee',
      '--registry-code',
      '40001',
      '--vat-number',
      'EE40001',
      '--customer-code',
      'A1',
    ];
    expect(await run('registrar', 'invoice-details', 'ALPHA', ...details)).toMatchObject({ code: 0 });
    await run('billing', 'export', 'einvoice', number);
    await run('billing', 'export', 'accounting', number);
    await takers.deliveries();
    expect((await takers.taken('einvoice'))[0]?.document).toContain('regNumber="40001"');
    expect((await takers.taken('accounting'))[0]?.document).toMatch(
      /CustomerCode="A1" CustomerName="Alpha Registrar" Destination="EE" VATregNo="EE40001"/,
    );
  });

  test('success: an invoice by the European standard, in a new file', async () => {
    const { number } = await auction.invoice();
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'ubl-')), 'invoice.xml');
    onTestFinished(() => rmSync(path.dirname(file), { recursive: true }));
    const order = ['billing', 'ubl', String(number), '--output', file];
    expect(await run(...order)).toEqual({
      code: 0,
      stdout: `Invoice ${number} is in ${file}.\n`,
      stderr: '',
    });
    expect(await brokenRules(readFileSync(file, 'utf8'))).toEqual([]);
    expect((await run(...order)).stderr).toBe(`${file} is there already.\n`);
  });

  const refused: [string, ExportTarget, () => Promise<number>, string][] = [
    ['a bulk invoice', 'accounting', issueBulk, 'invoice N is a bulk invoice; name those that it pays for.'],
    ['a cancelled invoice', 'accounting', issueCancelled, 'invoice N is cancelled.'],
    [
      'a buyer that demands another VAT',
      'accounting',
      issueAbroad,
      'invoice N bears 24 % VAT of EE; its buyer demands the VAT code 21.',
    ],
    [
      'a buyer without a name',
      'einvoice',
      () => rejectedFor({ registryCode: '12345678' }),
      'buyer_name is missing.',
    ],
    [
      'what the operator of e-invoices would refuse',
      'einvoice',
      () => rejectedFor({ name: 'Õnn OÜ', registryCode: '1'.repeat(16) }),
      'the invoice makes no e-invoice: ',
    ],
  ];
  test.each(refused)('failure: %s is not sent', async (_what, target, issue, sentence) => {
    const number = String(await issue());
    const outcome = await withoutTrace(registry, () => run('billing', 'export', target, number));
    expect(outcome).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(sentence.replace('N', number)),
    });
  });

  test.each([
    [['billing', 'ubl', '999999'], 'There is no invoice 999999.'],
    [['billing', 'export', 'nowhere', '150005'], 'The target is accounting or einvoice.'],
    [['billing', 'export', 'accounting', '999999'], 'Invoice with 999999 number not found.'],
    [['billing', 'export', 'accounting', 'x'], 'x is no number.'],
    [
      ['billing', 'exported', 'accounting', '999999', '--reason', 'x'],
      'Invoice with 999999 number not found.',
    ],
    [
      ['billing', 'exported', 'accounting', '150005', '--reason', ' \u200b'],
      '--reason must not be empty: it is kept.',
    ],
    [['registrar', 'invoice-details', 'NOBODY'], 'There is no registrar NOBODY.'],
    [['registrar', 'invoice-details', 'ALPHA', '--country', 'XX'], 'XX is no country code such as EE.'],
    [
      ['registrar', 'invoice-details', 'ALPHA', '--vat-number', 'EE12345678901234'],
      'EE12345678901234 has more than 15 characters.',
    ],
  ])('failure: cadastre %j', async (args, sentence) => {
    expect(await run(...args)).toEqual({ code: 1, stdout: '', stderr: `${sentence}\n` });
  });
});

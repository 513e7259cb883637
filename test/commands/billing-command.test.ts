import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Payer, Service } from '../support/billing.ts';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { alpha, beta, poor } from '../support/client.ts';
import { sentMails, takeMessageTypes } from '../support/life.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

let registry: TestRegistry;
let auction: Service;
let payer: Payer;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  payer = new Payer(registry.url);
});
afterAll(() => registry.stop());

const run = (...args: string[]) =>
  cadastre(args, { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
const held = async (): Promise<{ id: number; kind: string; reference: string }[]> =>
  JSON.parse((await run('billing', 'held', '--json')).stdout);
const becomes = (number: number, status: string) =>
  vi.waitFor(async () => expect((await payer.invoice(number)).status).toBe(status), {
    interval: 50,
  });
const balance = async (client = alpha(registry.url)) => (await client.get('/accounts/balance')).body.data;

async function topUp(amount: string, client = alpha(registry.url)) {
  const { invoice } = (await client.post('/invoices/add_credit', { invoice: { amount } })).body.data;
  return {
    number: invoice.invoice_number as number,
    link: invoice.payment_link as string,
    total: invoice.total as string,
  };
}

describe('cadastre billing held and resolve', () => {
  /** A payment of another amount than the invoice's. */
  async function heldPayment(amount: string, link: string): Promise<{ id: number; reference: string }> {
    const reference = await payer.pay(link, 'settled', { amount });
    return vi.waitFor(async () => {
      const found = (await held()).find((item) => item.reference === reference);
      expect(found?.kind).toBe('amount');
      return { id: found?.id ?? 0, reference };
    });
  }

  test('success: another amount is shown, with the invoice unchanged', async () => {
    const { number, link } = await topUp('100.00');
    const { id } = await heldPayment('62.00', link);
    expect(await payer.invoice(number)).toMatchObject({ status: 'unpaid', held: true });
    expect((await run('billing', 'held')).stdout).toMatch(/another amount/);
    expect(
      await run('billing', 'resolve', '--yes', String(id), 'dismiss', '--reason', 'settled by phone'),
    ).toMatchObject({ code: 0 });
    expect(await payer.invoice(number)).toMatchObject({ status: 'unpaid', held: false });
  });

  test('success: accept books the standing amount, net to the account and VAT separately', async () => {
    const before = (await balance()).balance;
    const { number, link } = await topUp('100.00');
    const { id, reference } = await heldPayment('62.00', link);
    expect(
      await run('billing', 'resolve', '--yes', String(id), 'accept', '--reason', 'half is fine'),
    ).toMatchObject({
      code: 0,
    });
    await becomes(number, 'paid');
    expect(Number((await balance()).balance) - Number(before)).toBeCloseTo(50);
    await payer.callback(`?payment_reference=${reference}&event_name=status_updated`);
    await becomes(number, 'paid');
    expect(await held()).toEqual([]);
  });

  test('success: refund pays it back and leaves the invoice payable', async () => {
    const { number, link } = await auction.invoice('20.00');
    const { id, reference } = await heldPayment('25.00', link);
    expect(
      await run('billing', 'resolve', '--yes', String(id), 'refund', '--reason', 'too much'),
    ).toMatchObject({
      code: 0,
    });
    await vi.waitFor(async () => {
      const { payments } = (await auction.get(`/invoices/${number}`)).body;
      expect(payments).toMatchObject([
        { payment_reference: reference, payment_state: 'refunded', booked_amount: '0.00' },
      ]);
    });
    expect(await payer.invoice(number)).toMatchObject({ status: 'unpaid', held: false });
  });

  test('failure: a payment that is not held, an unknown decision, an impossible one, no reason', async () => {
    expect(await run('billing', 'resolve', '--yes', '999', 'dismiss', '--reason', 'x')).toMatchObject({
      code: 1,
      stderr: 'Nothing is held under 999.\n',
    });
    expect(await run('billing', 'resolve', '--yes', '1', 'forget', '--reason', 'x')).toMatchObject({
      code: 1,
    });
    expect(await run('billing', 'resolve', '--yes', '1', 'dismiss')).toMatchObject({ code: 2 });
    expect(await run('billing', 'resolve', '--yes', '1', 'dismiss', '--reason', ' ')).toMatchObject({
      code: 1,
    });
    const { number, link } = await auction.invoice('30.00');
    const reference = await payer.pay(link);
    await becomes(number, 'paid');
    await payer.move(reference, 'partially_refunded', { standing_amount: '10.00' });
    const found = await vi.waitFor(async () => {
      const item = (await held()).find((each) => each.reference === reference);
      expect(item?.kind).toBe('reduction');
      return item;
    });
    expect(
      await run('billing', 'resolve', '--yes', String(found?.id), 'refund', '--reason', 'x'),
    ).toMatchObject({
      code: 1,
    });
    expect(
      await run('billing', 'resolve', '--yes', String(found?.id), 'accept', '--reason', 'x'),
    ).toMatchObject({
      code: 0,
    });
    expect((await auction.get(`/invoices/${number}`)).body).toMatchObject({
      status: 'paid',
      payments: [{ booked_amount: '10.00' }],
    });
  });
});

describe('cadastre billing refund', () => {
  test('success: the payer is repaid, the account is debited, and the invoice becomes refunded', async () => {
    const before = (await balance()).balance;
    const { number, link, total } = await topUp('50.00');
    await payer.pay(link);
    await becomes(number, 'paid');
    expect(await run('billing', 'refund', '--yes', String(number), '--reason', 'by mistake')).toMatchObject({
      code: 0,
      stdout: `${total} of invoice ${number} go back to the payer.\n`,
    });
    await becomes(number, 'refunded');
    expect((await balance()).balance).toBe(before);
    expect(await run('billing', 'refund', '--yes', String(number), '--reason', 'again')).toMatchObject({
      code: 1,
      stderr: `Invoice ${number} is refunded.\n`,
    });
  });

  test('success: what the balance does not cover becomes a debt, and the next credit repays it', async () => {
    const client = beta(registry.url);
    const { number, link } = await topUp('10.00', client);
    await payer.pay(link);
    await becomes(number, 'paid');
    await run('registrar', 'low-balance', 'BETA', '50.00');
    expect(await run('ledger', 'correct', 'BETA', '--reason', 'x', '--', '-100005.00')).toMatchObject({
      code: 0,
    });
    expect(await takeMessageTypes(client)).toContain('low_balance');
    await run('billing', 'refund', '--yes', String(number), '--reason', 'by mistake');
    await becomes(number, 'refunded');
    expect(await balance(client)).toMatchObject({ balance: '0.00', debt: '5.00' });
    await run('ledger', 'correct', 'BETA', '--reason', 'x', '--', '7.00');
    expect(await balance(client)).toEqual({ balance: '2.00', currency: 'EUR' });
    expect((await run('ledger', 'check')).stdout).toMatch(/^The ledger is clean\. /);
  });

  test('failure: unknown, unpaid, paid outside the provider', async () => {
    expect(await run('billing', 'refund', '--yes', '999', '--reason', 'x')).toMatchObject({
      code: 1,
      stderr: 'There is no invoice 999.\n',
    });
    const { number } = await auction.invoice('20.00');
    expect(await run('billing', 'refund', '--yes', String(number), '--reason', 'x')).toMatchObject({
      code: 1,
      stderr: `Invoice ${number} is unpaid.\n`,
    });
    await auction.post('/invoice_generator/invoice_status', { invoice_number: number, status: 'paid' });
    expect(await run('billing', 'refund', '--yes', String(number), '--reason', 'x')).toMatchObject({
      code: 1,
      stderr: `Invoice ${number} was not paid through the provider.\n`,
    });
  });

  test('failure: imported as paid, and ordered a second time; no refund is added', async () => {
    const refund = (number: number) => run('billing', 'refund', '--yes', String(number), '--reason', 'x');
    const imported = 1_000_001;
    await auction.post('/import_data/invoice_data', [
      { invoice_number: imported, transaction_amount: '20.00', status: 'paid' },
    ]);
    expect(await refund(imported)).toMatchObject({
      code: 1,
      stderr: `Invoice ${imported} was imported as paid; nothing is known of its payment.\n`,
    });
    const { number, link } = await auction.invoice('20.00');
    await payer.pay(link);
    await becomes(number, 'paid');
    await payer.whileProviderFails('down', async () => {
      expect(await refund(number)).toMatchObject({ code: 0 });
      expect(await refund(number)).toMatchObject({
        code: 1,
        stderr: `A refund of invoice ${number} is under way already.\n`,
      });
    });
    const ordered = await registry.sql.rows(sql`
      select invoice_number from refunds where invoice_number = any(${[imported, number]}::bigint[])`);
    expect(ordered).toEqual([{ invoice_number: number }]);
  });
});

describe('cadastre billing fetch, reconcile, differences and show', () => {
  test('success: a payment of a signed link whose callback was lost is fetched by its reference', async () => {
    const { number, link } = await auction.invoice('20.00');
    const reference = await payer.pay(link, 'settled', { callback: false });
    expect(await payer.invoice(number)).toMatchObject({ status: 'unpaid', payments: [] });
    expect(await run('billing', 'fetch', reference)).toMatchObject({
      code: 0,
      stdout: `${reference}: settled, 20.00 booked, invoice ${number}.\n`,
    });
    await payer.callback(`?payment_reference=${reference}&event_name=dispute_opened`);
    const shown = (await run('billing', 'show', String(number))).stdout;
    expect(shown).toMatch(/status +paid/);
    expect(shown).toMatch(/events +\S+ dispute_opened/);
  });

  test('success: one run repairs the lost callback of a one-off payment, and reports it', async () => {
    const { number } = await auction.invoice('20.00');
    const reference = await payer.pay(await auction.oneoff(number), 'settled', { callback: false });
    const reconciled = await run('billing', 'reconcile', '--json');
    expect(JSON.parse(reconciled.stdout)).toMatchObject([
      {
        reference,
        invoiceNumber: number,
        knownState: 'initial',
        foundState: 'settled',
        foundAmount: '20.00',
      },
    ]);
    expect(await auction.status(number)).toBe('paid');
    expect((await run('billing', 'differences')).stdout).toContain(reference);
  });

  test('failure: an unknown reference, a malformed one, no such invoice', async () => {
    expect(await run('billing', 'fetch', 'nobody-knows')).toMatchObject({
      code: 1,
      stderr: 'The provider does not know nobody-knows.\n',
    });
    expect(await run('billing', 'fetch', 'a b')).toMatchObject({ code: 1 });
    expect(await run('billing', 'show', '999')).toMatchObject({ code: 1 });
    expect(await run('billing', 'show', 'x')).toMatchObject({ code: 1 });
  });
});

describe('cadastre registrar top-up', () => {
  test('success: an invoice is issued when the balance falls to the threshold, and no second one', async () => {
    await registry.sql.run(sql`update registrars set email = 'money@poor.example' where code = 'POOR'`);
    expect(await run('registrar', 'top-up', 'POOR', '100.00', '--at', '5.00')).toMatchObject({ code: 0 });
    await payer.advance('PT5M');
    await payer.advance('PT5M');
    const { invoices } = (await poor(registry.url).get('/invoices')).body.data;
    expect(invoices).toMatchObject([{ amount: '100.00', total: '124.00', status: 'unpaid' }]);
    const [mail] = (await sentMails(registry)).filter(({ to }) => to === 'money@poor.example');
    await payer.pay(mail?.links[0] ?? '');
    await becomes(invoices[0].invoice_number, 'paid');
    expect((await balance(poor(registry.url))).balance).toBe('105.00');
    expect(await run('registrar', 'top-up', 'POOR', 'none')).toMatchObject({ code: 0 });
  });

  test('failure: no amount, an unknown registrar', async () => {
    expect(await run('registrar', 'top-up', 'POOR', '100.001')).toMatchObject({ code: 1 });
    expect(await run('registrar', 'top-up', 'POOR', '100.00', '--at', 'x')).toMatchObject({ code: 1 });
    expect(await run('registrar', 'top-up', 'NOBODY', '100.00')).toMatchObject({ code: 1 });
  });
});

describe('cadastre billing list, cancel and pdf', () => {
  const listed = async (...args: string[]): Promise<{ number: number; status: string }[]> =>
    JSON.parse((await run('billing', 'list', '--json', ...args)).stdout);

  test('success: list by registrar, service, status and day, the newest first', async () => {
    const [own, others] = [await topUp('77.00'), await auction.invoice('12.00')];
    const numbers = async (...args: string[]) => (await listed(...args)).map(({ number }) => number);
    expect(await numbers('--registrar', 'ALPHA', '--status', 'unpaid')).toContain(own.number);
    expect(await numbers('--initiator', 'auction')).toContain(others.number);
    expect(await numbers('--initiator', 'auction')).not.toContain(own.number);
    const all = await numbers('--from', '2020-01-01');
    expect(all).toEqual(all.toSorted((one, other) => other - one));
    expect(await numbers('--until', '2020-01-01')).toEqual([]);
    const table = await run('billing', 'list', '--registrar', 'ALPHA');
    expect(table.stdout).toMatch(/^NUMBER +INITIATOR +KIND +REGISTRAR +BUYER +STATUS +AMOUNT +CURRENCY +/);
    expect(table.stdout).toMatch(
      new RegExp(`^${own.number} +registry +top-up +ALPHA +Alpha Registrar +unpaid +95\\.48 +EUR +`, 'm'),
    );
  });

  test('success: cancel notifies the service, records the reason, and later payments are refunded', async () => {
    const { number, link } = await auction.invoice('15.00');
    const order = ['billing', 'cancel', String(number), '--reason', 'issued twice'];
    expect((await run(...order, '--dry-run')).stdout).toMatch(/^Dry run: nothing was changed\./);
    expect(await payer.invoice(number)).toMatchObject({ status: 'unpaid' });
    expect(await run(...order, '--yes')).toEqual({
      code: 0,
      stdout: `Invoice ${number} is cancelled.\n`,
      stderr: '',
    });
    expect(await payer.invoice(number)).toMatchObject({ status: 'cancelled' });
    const changes = await registry.sql.rows(sql`
      select c.to_status, c.actor, c.reason, (select count(*)::int from deliveries d where d.invoice_number = c.invoice_number) as messages
      from invoice_changes c where c.invoice_number = ${number} and c.to_status = 'cancelled'`);
    expect(changes).toEqual([
      {
        to_status: 'cancelled',
        actor: expect.stringMatching(/^operator:/),
        reason: 'issued twice',
        messages: 1,
      },
    ]);
    const reference = await payer.pay(link);
    await vi.waitFor(
      async () =>
        expect((await payer.invoice(number)).payments).toMatchObject([
          { payment_reference: reference, payment_state: 'refunded' },
        ]),
      { interval: 50 },
    );
    expect(await run(...order, '--yes')).toMatchObject({
      code: 1,
      stderr: `Invoice ${number} is cancelled.\n`,
    });
  });

  test('failure: cancelling without --yes and a terminal, without a reason, and an unknown invoice', async () => {
    const { number } = await auction.invoice('15.00');
    const refused = await run('billing', 'cancel', String(number), '--reason', 'x');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^Invoice \d+ can never be paid again\. .* add --yes if it is meant\.\n$/);
    expect(await payer.invoice(number)).toMatchObject({ status: 'unpaid' });
    expect(await run('billing', 'cancel', String(number))).toMatchObject({ code: 2 });
    expect(await run('billing', 'cancel', '999', '--reason', 'x', '--yes')).toMatchObject({
      code: 1,
      stderr: 'There is no invoice 999.\n',
    });
    expect(await run('billing', 'list', '--from', 'soon')).toMatchObject({ code: 1 });
    expect(await run('billing', 'list', '--status', 'lost')).toMatchObject({ code: 2 });
  });

  test('success: pdf writes the document; failure: an existing file, and an unknown invoice', async () => {
    const { number } = await auction.invoice('15.00');
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'cadastre-pdf-')), 'invoice.pdf');
    onTestFinished(() => rmSync(path.dirname(file), { recursive: true }));
    const written = await run('billing', 'pdf', String(number), '--output', file);
    expect(written).toEqual({ code: 0, stdout: `Invoice ${number} is in ${file}.\n`, stderr: '' });
    expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
    expect(await run('billing', 'pdf', String(number), '--output', file)).toMatchObject({
      code: 1,
      stderr: `${file} is there already.\n`,
    });
    expect(await run('billing', 'pdf', '999', '--output', file)).toMatchObject({ code: 1 });
  });
});

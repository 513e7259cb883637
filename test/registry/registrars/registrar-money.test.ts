import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { correctBalance } from '../../../src/registry/registrars/correct-balance.ts';
import { auditMoneyMessages } from '../../../torture/audit/money-messages.ts';
import { Payer, Service } from '../../support/billing.ts';
import { type Client, poor } from '../../support/client.ts';
import { moveClock } from '../../support/life.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let client: Client;
let payer: Payer;
beforeAll(async () => {
  registry = await startRegistry();
  client = poor(registry.url);
  payer = new Payer(registry.url);
});
afterAll(() => registry.stop());

/** Reads and acknowledges everything unread; oldest first. */
async function taken(): Promise<string[]> {
  const { data } = (await client.get('/registrar/notifications/all_notifications?limit=1000')).body;
  await registry.sql.run(sql`update poll_messages set read_at = now()`);
  return data.map(({ type, text }: { type: string; text: string }) => `${type}: ${text}`).toReversed();
}
const types = async () => (await taken()).map((each) => each.replace(/:.*/, ''));

async function order(headers: Record<string, string> = {}) {
  const { body } = await client.post('/invoices/add_credit', { invoice: { amount: '100.00' } }, { headers });
  const { invoice_number: number, payment_link: link, due_date: due } = body.data.invoice;
  return { number, link, due } as { number: number; link: string; due: string };
}
async function settle(link: string, number: number): Promise<string> {
  const reference = await payer.pay(link);
  await payer.invoice(number);
  return reference;
}
async function chargeBack(reference: string, number: number): Promise<void> {
  await payer.move(reference, 'chargebacked');
  await payer.invoice(number);
}
const correct = (cents: bigint) =>
  carryOut(
    registry.sql,
    correctBalance,
    { code: 'POOR', amount: cents },
    operator({ reason: { text: 'test' } }),
  );

/** The registrar begins with 5.00. */
describe('messages about money', () => {
  test('success: an invoice is issued, once for repeated requests, and not by a dry run', async () => {
    const key = { 'idempotency-key': 'a-top-up' };
    const { number, due } = await order(key);
    expect((await order(key)).number).toBe(number);
    await client.post(
      '/invoices/add_credit',
      { invoice: { amount: '100.00' } },
      { headers: { 'dry-run': 'true' } },
    );
    expect(await taken()).toEqual([
      `invoice_issued: Invoice ${number} over 124.00 EUR was issued; it is due on ${due}`,
    ]);
  });

  test('success: paid and credited, then charged back and debited', async () => {
    const { number, link } = await order();
    const reference = await settle(link, number);
    expect((await taken()).slice(1)).toEqual([
      `invoice_paid: Invoice ${number} over 124.00 EUR was paid`,
      `balance_credited: 100.00 EUR were credited to your account: Top-up by invoice ${number}. Its balance is 105.00 EUR`,
    ]);
    await chargeBack(reference, number);
    expect(await taken()).toEqual([
      `invoice_refunded: Invoice ${number} over 124.00 EUR was refunded`,
      `balance_debited: 100.00 EUR were taken from your account: Reversal of invoice ${number}. Its balance is 5.00 EUR`,
    ]);
  });

  test('success: corrections, and a debt that arises and is repaid', async () => {
    const { number, link } = await order();
    const reference = await settle(link, number);
    await correct(-2_000n);
    expect((await taken()).at(-1)).toBe(
      'balance_debited: 20.00 EUR were taken from your account: Correction: test. Its balance is 85.00 EUR',
    );
    await chargeBack(reference, number);
    expect(await types()).toEqual(['invoice_refunded', 'debt_incurred']);
    const answer = await fetch(`${registry.url}/sandbox/topup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ registrar: 'POOR', amount: '10.00' }),
    });
    expect(answer.status).toBe(200);
    expect(await taken()).toEqual([
      'balance_credited: 10.00 EUR were credited to your account: Sandbox top-up. Its balance is 0.00 EUR',
      'debt_repaid: 10.00 EUR of your debt were repaid; you owe 5.00 EUR',
    ]);
    await correct(1_000n);
    expect(await types()).toEqual(['balance_credited', 'debt_repaid']);
  });

  test('failure: a refused correction, and invoices of other services, send no message', async () => {
    await expect(correct(-900_000n)).rejects.toThrow('the balance does not cover it');
    const auction = new Service(registry.url);
    const { number, link } = await auction.invoice('124.00');
    await settle(link, number);
    expect(await types()).toEqual([]);
  });

  test('success: overdue, cancelled, an automatic invoice, and the statement of each month', async () => {
    const { number } = await order();
    await types();
    await registry.sql.run(
      sql`update registrars set top_up_amount = 5000, top_up_threshold = 1000 where code = 'POOR'`,
    );
    await moveClock(registry, { advance: 'P32D' });
    const first = await taken();
    expect(first.filter((text) => text.startsWith('invoice_issued'))).toHaveLength(1);
    expect(first).toContain(`invoice_overdue: Invoice ${number} over 124.00 EUR is overdue`);
    const statements = first.filter((text) => text.startsWith('statement_ready'));
    expect(statements.length).toBeGreaterThan(0);
    expect(statements[0]).toMatch(
      /^statement_ready: The statement of your account for \d{4}-\d\d is ready: opening balance 0\.00 EUR, closing balance 5\.00 EUR$/,
    );
    await registry.sql.run(
      sql`update registrars set top_up_threshold = null, top_up_amount = null where code = 'POOR'`,
    );
    await moveClock(registry, { advance: 'P31D' });
    expect(await taken()).toContain(
      `invoice_cancelled: Invoice ${number} over 124.00 EUR was cancelled and can no longer be paid`,
    );
    expect(await auditMoneyMessages(registry.sql)).toEqual([]);
  });
});

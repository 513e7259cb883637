import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyPaymentUpdate } from '../../../src/billing/payments/apply-payment-update.ts';
import { listHeld } from '../../../src/billing/payments/list-held-payments.ts';
import { refundInvoice } from '../../../src/billing/payments/refund-invoice.ts';
import { type Resolution, resolveHeldPayment } from '../../../src/billing/payments/resolve-held-payment.ts';
import { checkLedger } from '../../../src/ledger/check-ledger.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { ee } from '../../../src/policy/ee.ts';
import { effectsOf } from '../../../src/reservations/payment-effects.ts';
import { call, Payer, Service } from '../../support/billing.ts';
import { operator } from '../../support/operator.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let payer: Payer;
let auction: Service;
beforeAll(async () => {
  registry = await startRegistry();
  payer = new Payer(registry.url);
  auction = new Service(registry.url);
});
afterAll(() => registry.stop());

const holdsOf = async (reference: string) =>
  (await listHeld(registry.sql)).filter((held) => held.reference === reference);
const kindsOf = async (reference: string) => (await holdsOf(reference)).map(({ kind }) => kind);
const now = async () => new Date((await call(`${registry.url}/sandbox/clock`, {})).body.now);

async function resolve(reference: string, kind: string, resolution: Resolution): Promise<void> {
  const held = (await holdsOf(reference)).find((each) => each.kind === kind);
  const context = operator({ reason: { text: 'judged' }, now: await now() });
  const judgement = { id: held?.id ?? 0, resolution };
  await carryOut(registry.sql, resolveHeldPayment(effectsOf(ee)), judgement, context);
}

async function refund(number: number): Promise<void> {
  const context = operator({ reason: { text: 'asked for' }, now: await now() });
  await carryOut(registry.sql, refundInvoice, { number }, context);
}

/** Resolves once what the provider reports has been applied. */
async function move(reference: string, state: string, standing?: string): Promise<void> {
  await payer.move(reference, state, { ...(standing !== undefined && { standing_amount: standing }) });
  await payer.advance('PT5M');
  const isApplied = sql<{ isApplied: boolean }>`
    select (p.state, p.standing_amount) = (s.payment_state, s.standing_amount) as "isApplied" from payments p
    join provider_simulator.payments s on s.payment_reference = p.reference where p.reference = ${reference}`;
  await expect.poll(() => registry.sql.one(isApplied)).toEqual({ isApplied: true });
}
const mark = (number: number, status: string) =>
  auction.post('/invoice_generator/invoice_status', { invoice_number: number, status });

async function bookedOf(reference: string) {
  const [row] = await registry.sql.rows(sql<{ booked: number; surplus: number; standing: number }>`
    select p.booked, p.surplus, s.standing_amount as standing from payments p
    join provider_simulator.payments s on s.payment_reference = p.reference where p.reference = ${reference}`);
  return row;
}

async function expectRefused(
  sentence: string,
  reference: string,
  kind: string,
  resolution: Resolution,
): Promise<void> {
  const state = async () => [await bookedOf(reference), await kindsOf(reference)];
  const before = await state();
  await expect(resolve(reference, kind, resolution)).rejects.toThrow(sentence);
  expect(await state()).toEqual(before);
}

/** A bulk payment for two invoices over 10.00 each. */
async function payTwo() {
  const [one, two] = [(await auction.invoice('10.00')).number, (await auction.invoice('10.00')).number];
  const { body } = await auction.post('/invoice_generator/bulk_payment', {
    customer_url: 'https://auction.example/done',
    description: `${one} ${two}`,
    transaction_amount: '20.00',
    custom_field2: 'auction',
  });
  const reference = await payer.pay(body.oneoff_redirect_link);
  await payer.advance('PT5M');
  return { one, two, reference };
}

async function bulkOf(reference: string): Promise<number | undefined> {
  const [row] = await registry.sql.rows(sql<{ number: number }>`
    select invoice_number as number from payments where reference = ${reference}`);
  return row?.number;
}

describe('decisions of operators on payments that changed meanwhile', () => {
  test('success: money refunded meanwhile needs no decision any more', async () => {
    const { number, link } = await auction.invoice('20.00');
    const reference = await payer.pay(link, 'settled', { amount: '15.00' });
    await payer.advance('PT5M');
    await move(reference, 'refunded');
    expect(await payer.invoice(number)).toMatchObject({ status: 'unpaid', held: false });
    await expect(resolve(reference, 'amount', 'accept')).rejects.toThrow('Nothing is held');
  });

  test('success: of a pending refund less can be accepted, and less is refunded', async () => {
    const { number, link } = await auction.invoice('20.00');
    await mark(number, 'paid');
    const reference = await payer.pay(link, 'settled', { callback: false });
    await move(reference, 'chargebacked', '10.00');
    expect(await kindsOf(reference)).toEqual(['refund']);
    await move(reference, 'settled', '4.00');
    await resolve(reference, 'reduction', 'accept');
    expect(await bookedOf(reference)).toEqual({ booked: 400, surplus: 400, standing: 400 });
    await resolve(reference, 'refund', 'refund');
    await payer.advance('PT5M');
    expect(await bookedOf(reference)).toEqual({ booked: 0, surplus: 0, standing: 0 });
    expect(await kindsOf(reference)).toEqual([]);
  });

  test('failure: a refused refund is not ordered again once its money was returned otherwise', async () => {
    const { one, two, reference } = await payTwo();
    await payer.move(reference, 'chargebacked', { standing_amount: '20.00', callback: false });
    await refund(one);
    await payer.advance('PT5M');
    expect(await kindsOf(reference)).toEqual(['refund']);
    await move(reference, 'settled', '20.00');
    await refund(one);
    await payer.advance('PT5M');
    await expect(resolve(reference, 'refund', 'refund')).rejects.toThrow('Nothing is left of it');
    await payer.advance('PT5M');
    expect(await bookedOf(reference)).toEqual({ booked: 1000, surplus: 0, standing: 1000 });
    expect([await auction.status(one), await auction.status(two)]).toEqual(['refunded', 'paid']);
  });

  test('success: of two refunds of the same amount the one that was just ordered is done', async () => {
    const { one, two, reference } = await payTwo();
    await payer.fault('provider', 'down');
    await refund(one);
    await refund(two);
    const { id } = await registry.sql.one(
      sql<{ id: number }>`select id from refunds where invoice_number = ${two}`,
    );
    const report = { state: 'refunded', standingAmount: 1000n, toOurAccount: true };
    const update = {
      reference,
      invoiceNumber: await bulkOf(reference),
      refund: id,
      currency: 'EUR',
      report: { ...report, initialAmount: 2000n, answer: {} },
      actor: 'test',
      at: await now(),
    };
    await registry.sql.begin((db) => applyPaymentUpdate(db, update, effectsOf(ee)));
    expect([await auction.status(one), await auction.status(two)]).toEqual(['paid', 'refunded']);
    await payer.fault('provider', 'none');
  });

  test('success: a refund that was carried out, and whose answer was lost, is not ordered again', async () => {
    const { one, two, reference } = await payTwo();
    await payer.move(reference, 'refunded', { standing_amount: '10.00', callback: false });
    await refund(one);
    await payer.advance('PT5M');
    expect(await bookedOf(reference)).toEqual({ booked: 1000, surplus: 0, standing: 1000 });
    expect([await auction.status(one), await auction.status(two)]).toEqual(['refunded', 'paid']);
  });

  test('success: an amount that is only announced is not decided on with the payment', async () => {
    const { number, link } = await auction.invoice('20.00');
    const reference = await payer.pay(link, 'settled', { amount: '30.00' });
    await payer.advance('PT5M');
    await move(reference, 'waiting_for_sca', '20.00');
    await resolve(reference, 'amount', 'dismiss');
    await move(reference, 'settled', '20.00');
    expect(await auction.status(number)).toBe('paid');
  });

  test('success: where nothing stands nothing stays booked, also where a part was returned outside the provider', async () => {
    const { one, two, reference } = await payTwo();
    expect((await mark(one, 'refunded')).status).toBe(200);
    await move(reference, 'chargebacked');
    expect(await bookedOf(reference)).toEqual({ booked: 0, surplus: 0, standing: 0 });
    expect(await auction.status(two)).toBe('refunded');
    expect(await kindsOf(reference)).toEqual(['twice']);
    expect(await checkLedger(registry.sql)).toEqual([]);
  });

  test('success: a part is returned outside the provider while another part is refunded through it', async () => {
    const { one, two, reference } = await payTwo();
    await refund(one);
    expect((await mark(two, 'refunded')).status).toBe(200);
    await payer.advance('PT5M');
    expect(await bookedOf(reference)).toEqual({ booked: 0, surplus: 0, standing: 1000 });
    expect([await auction.status(one), await auction.status(two)]).toEqual(['refunded', 'refunded']);
    expect(await kindsOf(reference)).toEqual([]);
  });

  test('failure: an amount that is only announced is neither accepted nor paid back', async () => {
    const { number, link } = await auction.invoice('20.00');
    const reference = await payer.pay(link, 'settled', { amount: '30.00' });
    await payer.advance('PT5M');
    await move(reference, 'waiting_for_sca', '20.00');
    const nothing = 'Nothing stands at the provider that could be';
    await expectRefused(`${nothing} booked.`, reference, 'amount', 'accept');
    await expectRefused(`${nothing} paid back.`, reference, 'amount', 'refund');
    expect(await auction.status(number)).toBe('unpaid');
  });

  test('failure: what is left of a payment for several invoices is not accepted', async () => {
    const { one, two, reference } = await payTwo();
    await move(reference, 'partially_refunded', '15.00');
    await expectRefused('It is a payment for several invoices', reference, 'reduction', 'accept');
    expect([await auction.status(one), await auction.status(two)]).toEqual(['paid', 'paid']);
  });

  test('failure: what is left of a payment is not accepted while a refund of it is under way', async () => {
    const { number, link } = await auction.invoice('20.00');
    const reference = await payer.pay(link);
    expect(await payer.invoice(number)).toMatchObject({ status: 'paid' });
    await move(reference, 'partially_refunded', '15.00');
    await payer.whileProviderFails('down', async () => {
      await refund(number);
      await expectRefused('A refund of it is under way.', reference, 'reduction', 'accept');
    });
    await payer.advance('PT5M');
    await expect.poll(() => kindsOf(reference)).toEqual(['reduction', 'refund']);
  });
});

test('failure: an answer that is older than the last one applied changes nothing', async () => {
  const { number, link } = await auction.invoice('10.00');
  const reference = await payer.pay(link);
  expect((await payer.invoice(number)).status).toBe('paid');
  const { question: answered } = await registry.sql.one(sql<{ question: number }>`
    select answered_poll_number as question from payments where reference = ${reference}`);
  const at = await now();
  const apply = (question: number) =>
    registry.sql.begin((db) =>
      applyPaymentUpdate(
        db,
        {
          reference,
          invoiceNumber: number,
          question,
          currency: 'EUR',
          actor: 'test',
          at,
          report: {
            state: 'failed',
            standingAmount: 0n,
            initialAmount: 1000n,
            toOurAccount: true,
            answer: {},
          },
        },
        effectsOf(ee),
      ),
    );
  expect(await apply(answered)).toBeUndefined();
  expect(await bookedOf(reference)).toMatchObject({ booked: 1000 });
  expect(await apply(answered + 1)).toMatchObject({ decision: { changes: [{ to: 'refunded' }] } });
});

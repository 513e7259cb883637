import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { Payer, Service } from '../support/billing.ts';
import {
  eventually,
  invoiceIn,
  postedFor,
  postedFrom,
  reportedStatuses,
  withoutTrace,
} from '../support/books.ts';
import { alpha, poor } from '../support/client.ts';
import { balanceOf, outcome, Registrant } from '../support/domains.ts';
import { exchange, parseAnswers } from '../support/raw-http.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../support/registry.ts';
import { runningTime } from '../support/running-time.ts';
import { sql } from '../support/sql.ts';
import { answers, standInProvider } from './provider/stand-in.ts';

let registry: TestRegistry;
let auction: Service;
let payer: Payer;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  payer = new Payer(registry.url);
});
afterAll(() => registry.stop());

const RECEIVED = { message: 'Callback received' };
const eventsOf = async (number: number): Promise<string[]> =>
  (await payer.invoice(number)).events.map(({ event_name }: { event_name: string }) => event_name);
const standing = async (reference: string) => {
  const [row] = await registry.sql.rows(sql`
    select standing_amount::int as cents from provider_simulator.payments where payment_reference = ${reference}`);
  return row?.cents;
};
const refundsOf = async (reference: string) => {
  const rows = await registry.sql.rows(sql`
    select state, amount::int as amount from refunds where payment_reference = ${reference} order by id`);
  return [...rows];
};
const become = (number: number, status: string) =>
  auction.post('/invoice_generator/invoice_status', { invoice_number: number, status });

type Begun = { number: number; reference: string };
/** An invoice of 124.00 whose payment is in this state, at the provider and here. */
async function begin(state: string): Promise<Begun> {
  const { number, link } = await auction.invoice('124.00');
  const reference = await payer.pay(link, state === 'waiting_for_sca' ? state : 'settled');
  if (state !== 'waiting_for_sca' && state !== 'settled') {
    await payer.invoice(number);
    await payer.move(reference, state);
  }
  await payer.invoice(number);
  return { number, reference };
}

describe('answers of the callback', () => {
  test('success: 200 without a reference', async () => {
    const reply = await withoutTrace(registry, () => payer.callback('?event_name=status_updated'));
    expect([reply.status, reply.body]).toEqual([200, RECEIVED]);
  });

  test('success: 200 with both parameters, and others beside them', async () => {
    const { number, reference } = await begin('settled');
    const reply = await payer.callback(
      `?payment_reference=${reference}&event_name=dispute_opened&order_reference=${number}&order_reference=1&x[]=1`,
    );
    expect([reply.status, reply.body]).toEqual([200, RECEIVED]);
    expect(await eventsOf(number)).toEqual(['status_updated', 'dispute_opened']);
  });

  test('success: an event without a name is listed as unnamed', async () => {
    const { number, reference } = await begin('settled');
    expect((await payer.callback(`?payment_reference=${reference}`)).body).toEqual(RECEIVED);
    expect(await eventsOf(number)).toEqual(['status_updated', null]);
  });

  test('success: an unknown reference creates no payment, whatever the callback claims', async () => {
    const reference = 'f'.repeat(128);
    await withoutTrace(registry, async () => {
      expect((await payer.callback(`?payment_reference=${reference}&event_name=refunded`)).status).toBe(200);
      await eventually(payer, async () => {
        const rows = await registry.sql.rows(sql`select from payments where reference = ${reference}`);
        expect(rows.length).toBe(0);
      });
    });
    const events = await registry.sql.rows(
      sql`select event_name from payment_events where payment_reference = ${reference}`,
    );
    expect([...events]).toEqual([{ event_name: 'refunded' }]);
  });

  test.each([
    ['an array in escapes', 'payment_reference%5B%5D=a'],
    ['broken escapes', 'payment_reference=%E0%A4%A'],
  ])('failure: 400 for %s', async (_what, query) => {
    const [before] = await registry.sql.rows(sql`select count(*)::int as events from payment_events`);
    const reply = await withoutTrace(registry, () => payer.callback(`?${query}`));
    expect([reply.status, reply.body]).toEqual([400, { error: 'payment_reference cannot be read' }]);
    const [after] = await registry.sql.rows(sql`select count(*)::int as events from payment_events`);
    expect(after).toEqual(before);
  });

  test('failure: a megabyte of query', async () => {
    const { port } = new URL(registry.url);
    const query = `payment_reference=${'a'.repeat(1024 * 1024)}`;
    const head = `GET /api/v1/callback_handler/callback?${query} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`;
    const bytes = await withoutTrace(registry, () =>
      exchange(Number(port), [Buffer.from(head)], { silenceMs: 20_000 }),
    );
    expect(parseAnswers(bytes).map(({ status }) => status)).toEqual([400]);
  });

  test('failure: more callbacks from one address than the rate limit allows', async () => {
    const limited = await freshRegistryForThisTest({ callbacksPerMinute: 3 });
    const caller = new Payer(limited.url);
    for (let time = 0; time < 3; time++) expect((await caller.callback('')).status).toBe(200);
    const reply = await caller.callback('?payment_reference=a');
    expect([reply.status, reply.body]).toEqual([429, { error: 'Too many callbacks' }]);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    const rows = await limited.sql.rows(sql`select from payment_events where payment_reference is not null`);
    expect(rows.length).toBe(0);
  });
});

/**
 * What the callback reports when the provider's state has changed: the state before and after, and ours. What each state means is
 * decided in test/billing/payments/decide.test.ts.
 */
const MOVES: [event: string, from: string, to: string, status: string, held: boolean][] = [
  ['status_updated', 'waiting_for_sca', 'settled', 'paid', false],
  ['marked_for_capture', 'waiting_for_sca', 'a_state_of_tomorrow', 'unpaid', false],
  ['abandoned', 'waiting_for_sca', 'abandoned', 'failed', false],
  ['dispute_charged_back', 'settled', 'charged_back', 'refunded', false],
  ['dispute_reversed', 'chargebacked', 'settled', 'refunded', true],
];
const EVENTS = [
  'status_updated',
  'voided',
  'refunded',
  'refund_failed',
  'chargebacked',
  'marked_for_capture',
  'abandoned',
  'issuer_reported_fraudulent',
  'merchant_reported_fraudulent',
  'dispute_opened',
  'dispute_updated',
  'dispute_reversed',
  'dispute_charged_back',
  'dispute_reopened',
  'card_art_updated',
  'token_updated',
  'status_update',
  'Something new; õ',
];

describe('events', () => {
  test.each(MOVES)('success: %s from %s to %s: %s', async (event, from, to, status, held) => {
    const { number, reference } = await begin(from);
    const statusesBefore = await reportedStatuses(payer, number);
    const { status: before } = await payer.invoice(number);
    await payer.move(reference, to, { event_name: event });
    expect(await payer.invoice(number)).toMatchObject({
      status,
      held,
      payments: [{ payment_reference: reference, payment_state: to }],
    });
    expect(await postedFor(registry, number)).toBe(status === 'paid' ? 12_400 : 0);
    expect((await eventsOf(number)).at(-1)).toBe(event);
    expect(await reportedStatuses(payer, number)).toEqual(
      before === status ? statusesBefore : [...statusesBefore, status],
    );
  });

  test.each([
    ['waiting_for_sca', 'unpaid'],
    ['settled', 'paid'],
  ])(
    'failure: each event alone, while the provider reports %s, is recorded and changes nothing',
    async (state, status) => {
      const { number, reference } = await begin(state);
      await withoutTrace(registry, async () => {
        for (const event of EVENTS) {
          await payer.callback(`?payment_reference=${reference}&event_name=${encodeURIComponent(event)}`);
          expect((await payer.invoice(number)).status).toBe(status);
        }
      });
      expect((await eventsOf(number)).slice(-EVENTS.length)).toEqual(EVENTS);
    },
  );

  test('success: after a failed attempt a new one may pay', async () => {
    const { number, reference } = await begin('waiting_for_sca');
    await payer.move(reference, 'failed');
    expect((await payer.invoice(number)).status).toBe('failed');
    await payer.pay(await auction.oneoff(number));
    expect(await payer.invoice(number)).toMatchObject({ status: 'paid', held: false });
    expect(await reportedStatuses(payer, number)).toEqual(['failed', 'unpaid', 'paid']);
  });

  test('success: while another attempt is under way a failed one does not fail the invoice', async () => {
    const { number, link } = await auction.invoice('124.00');
    await payer.pay(await auction.oneoff(number), 'waiting_for_sca');
    await payer.pay(link, 'failed');
    expect((await payer.invoice(number)).status).toBe('unpaid');
  });
});

describe('repetition and order', () => {
  test('success: fifty callbacks at once credit a registrar once', async () => {
    const client = alpha(registry.url);
    const before = Number(await balanceOf(client));
    const issued = await client.post('/invoices/add_credit', { invoice: { amount: '100.00' } });
    const { invoice_number: number, payment_link: link } = issued.body.data.invoice;
    const reference = await payer.pay(link, 'settled', { callback: false });
    const query = `?payment_reference=${reference}&event_name=status_updated`;
    const replies = await Promise.all(Array.from({ length: 50 }, () => payer.callback(query)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    await eventually(payer, async () => expect((await payer.invoice(number)).status).toBe('paid'));
    await payer.advance('PT1M');
    expect([Number(await balanceOf(client)), await postedFrom(registry, reference)]).toEqual([
      before + 100,
      12_400,
    ]);
    expect((await eventsOf(number)).length).toBe(50);
    const credits = await registry.sql.rows(sql`
      select from ledger_entries where payment_reference = ${reference} and registrar_id is not null`);
    expect(credits.length).toBe(1);
  });

  test('success: repeated one after the other they change nothing more either', async () => {
    const { number, reference } = await begin('settled');
    await withoutTrace(registry, async () => {
      for (let time = 0; time < 5; time++) {
        await payer.callback(`?payment_reference=${reference}&event_name=status_updated`);
        await payer.invoice(number);
      }
    });
    expect(await reportedStatuses(payer, number)).toEqual(['paid']);
  });

  test('success: in any order of callbacks the books follow the provider', async () => {
    const { number, link } = await auction.invoice('124.00');
    const reference = await payer.pay(link, 'settled', { callback: false });
    await payer.move(reference, 'refunded', { callback: false });
    for (const event of ['refunded', 'status_updated', 'refunded']) {
      await payer.callback(`?payment_reference=${reference}&event_name=${event}`);
      expect(await payer.invoice(number)).toMatchObject({ status: 'unpaid', held: false });
      expect(await postedFrom(registry, reference)).toBe(0);
    }
    expect(await reportedStatuses(payer, number)).toEqual([]);
  });

  test('success: a late callback of an older attempt does not undo a newer one', async () => {
    const { number } = await auction.invoice('124.00');
    const [first, second] = [await auction.oneoff(number), await auction.oneoff(number)];
    const failed = await payer.pay(first, 'failed', { callback: false });
    await payer.pay(second);
    expect((await payer.invoice(number)).status).toBe('paid');
    await payer.callback(`?payment_reference=${failed}&event_name=status_updated`);
    expect(await payer.invoice(number)).toMatchObject({ status: 'paid', held: false });
    expect(await reportedStatuses(payer, number)).toEqual(['paid']);
  });
});

describe('a provider that does not answer', () => {
  test.each([
    ['down', 3],
    ['error', 3],
    ['slow', 1],
  ])('success: %s: answered immediately, and recovered later', async (mode, times) => {
    const { number, link } = await auction.invoice('124.00');
    const reference = await payer.pay(link, 'settled', { callback: false });
    await payer.fault('provider', mode, times);
    const passed = runningTime();
    expect((await payer.callback(`?payment_reference=${reference}`)).body).toEqual(RECEIVED);
    expect(passed()).toBeLessThan(2_000);
    expect(await auction.status(number)).toBe('unpaid');
    await eventually(payer, async () => expect((await payer.invoice(number)).status).toBe('paid'));
    expect(await reportedStatuses(payer, number)).toEqual(['paid']);
  });

  test('success: a long outage: polled repeatedly until the provider answers', async () => {
    const { number, link } = await auction.invoice('124.00');
    const reference = await payer.pay(link, 'settled', { callback: false });
    await payer.fault('provider', 'down', 1000);
    await payer.callback(`?payment_reference=${reference}`);
    await payer.advance('PT1M');
    expect(await auction.status(number)).toBe('unpaid');
    await payer.fault('provider', 'none');
    await payer.advance('PT10M');
    expect((await payer.invoice(number)).status).toBe('paid');
  });

  test('success: a lost callback of a one-off payment is repaired by one run, and the difference is kept', async () => {
    const { number } = await auction.invoice('124.00');
    const reference = await payer.pay(await auction.oneoff(number), 'settled', { callback: false });
    expect((await payer.invoice(number)).status).toBe('unpaid');
    await payer.advance('PT11M');
    expect(await payer.invoice(number)).toMatchObject({ status: 'paid', events: [] });
    expect([await postedFrom(registry, reference), await reportedStatuses(payer, number)]).toEqual([
      12_400,
      ['paid'],
    ]);
    const [difference] = await registry.sql.rows(sql`
      select known_state, found_state from payment_differences where payment_reference = ${reference}`);
    expect(difference).toEqual({ known_state: 'initial', found_state: 'settled' });
  });

  test('success: a lost callback of a link that was begun is repaired as well', async () => {
    const { number, reference } = await begin('waiting_for_sca');
    await payer.move(reference, 'settled', { callback: false });
    await payer.advance('PT11M');
    expect((await payer.invoice(number)).status).toBe('paid');
  });

  test('success: the service is notified although it was unavailable at first', async () => {
    const { number, link } = await auction.invoice('124.00');
    await payer.deliveries();
    await payer.fault('service', 'down', 2);
    await payer.pay(link);
    await payer.invoice(number);
    await payer.advance('PT1H');
    const messages = (await payer.deliveries()).filter(({ invoice_number }) => invoice_number === number);
    expect(messages).toMatchObject([{ status: 'delivered', attempts: 3 }]);
  });
});

describe('unexpected amounts, accounts and invoices', () => {
  test('failure: 123.99 instead of 124.00 is held, never booked', async () => {
    const { number, link } = await auction.invoice('124.00');
    const reference = await payer.pay(link, 'settled', { amount: '123.99' });
    expect(await payer.invoice(number)).toMatchObject({ status: 'unpaid', held: true });
    expect([await postedFrom(registry, reference), await reportedStatuses(payer, number)]).toEqual([0, []]);
    const [held] = await registry.sql.rows(
      sql`select kind from held_payments where payment_reference = ${reference}`,
    );
    expect(held?.kind).toBe('amount');
  });

  test('failure: settled to another account, or for no invoice of ours, is held, never booked', async () => {
    const provider = await standInProvider();
    const strict = await freshRegistryForThisTest({ providerUrl: provider.url });
    const service = new Service(strict.url);
    const caller = new Payer(strict.url);
    for (const [reference, members, kind] of [
      ['other-account', { account_name: 'USD-sandbox' }, 'account'],
      ['not-there', { order_reference: '199000' }, 'invoice'],
      ['not-ours', { order_reference: 'something else' }, 'invoice'],
      ['bulk-not-there', { order_reference: 'Ref:19999, 150005' }, 'invoice'],
    ] as const) {
      const { number } = await service.invoice('124.00');
      provider.behave(
        answers(200, {
          payment_reference: reference,
          payment_state: 'settled',
          account_name: 'EUR-sandbox',
          order_reference: String(number),
          initial_amount: 124,
          standing_amount: 124,
          ...members,
        }),
      );
      // Reported again, it is not held twice.
      for (let time = 0; time < 2; time++) {
        await caller.callback(`?payment_reference=${reference}`);
        expect((await caller.invoice(number)).status).toBe('unpaid');
      }
      const held = await strict.sql.rows(
        sql`select kind, closed_at from held_payments where payment_reference = ${reference}`,
      );
      expect([...held]).toEqual([{ kind, closed_at: null }]);
      expect(await postedFrom(strict, reference)).toBe(0);
    }
  });

  test('failure: settled again after it was refunded is held', async () => {
    const { number, reference } = await begin('refunded');
    await payer.move(reference, 'settled');
    expect(await payer.invoice(number)).toMatchObject({ status: 'refunded', held: true });
    expect(await postedFrom(registry, reference)).toBe(0);
  });

  test('failure: a partial refund that we did not order is held, and the payment stays booked', async () => {
    const { number, reference } = await begin('settled');
    await payer.move(reference, 'partially_refunded', { standing_amount: '100.00' });
    expect(await payer.invoice(number)).toMatchObject({ status: 'paid', held: true });
    expect([await postedFrom(registry, reference), await reportedStatuses(payer, number)]).toEqual([
      12_400,
      ['paid'],
    ]);
  });

  test('success: a second payment of a paid invoice is refunded, once', async () => {
    const { number, link } = await auction.invoice('124.00');
    const oneoff = await auction.oneoff(number);
    const first = await payer.pay(link);
    await payer.invoice(number);
    const second = await payer.pay(oneoff);
    await eventually(payer, async () =>
      expect(await refundsOf(second)).toEqual([{ state: 'done', amount: 12_400 }]),
    );
    await payer.callback(`?payment_reference=${second}`);
    await payer.advance('PT1H');
    expect([await standing(first), await standing(second)]).toEqual([12_400, 0]);
    expect([await postedFrom(registry, first), await postedFrom(registry, second)]).toEqual([12_400, 0]);
    expect(await payer.invoice(number)).toMatchObject({ status: 'paid', held: false });
    expect(await reportedStatuses(payer, number)).toEqual(['paid']);
  });

  test('failure: a refund that the provider refuses is held for an operator', async () => {
    const provider = await standInProvider();
    const strict = await freshRegistryForThisTest({ providerUrl: provider.url });
    const service = new Service(strict.url);
    const caller = new Payer(strict.url);
    const { number } = await service.invoice('124.00');
    const settled = {
      payment_reference: 'late',
      payment_state: 'settled',
      account_name: 'EUR-sandbox',
      order_reference: String(number),
      initial_amount: 124,
      standing_amount: 124,
    };
    const refusal = { error: { code: 4037, message: 'open banking payments cannot be refunded' } };
    provider.behave((response, asked) =>
      asked.method === 'POST'
        ? answers(422, refusal)(response, asked)
        : answers(200, settled)(response, asked),
    );
    await service.post('/invoice_generator/invoice_status', { invoice_number: number, status: 'cancelled' });
    await caller.callback('?payment_reference=late');
    await eventually(caller, async () => expect((await caller.invoice(number)).held).toBe(true));
    await caller.advance('PT1H');
    const [held] = await strict.sql.rows(sql`select kind, detail from held_payments`);
    expect([held?.kind, held?.detail]).toEqual(['refund', expect.stringContaining('cannot be refunded')]);
    expect(provider.asked.filter(({ method }) => method === 'POST').length).toBe(1);
    expect(await postedFrom(strict, 'late')).toBe(12_400);
  });

  test('success: of two simultaneous payments one pays and one is refunded', async () => {
    const { number, link } = await auction.invoice('124.00');
    const oneoff = await auction.oneoff(number);
    const references = await Promise.all([payer.pay(link), payer.pay(oneoff)]);
    await eventually(payer, async () => {
      const left = await Promise.all(references.map(standing));
      expect(left.toSorted((a, b) => a - b)).toEqual([0, 12_400]);
    });
    expect([(await payer.invoice(number)).status, await postedFor(registry, number)]).toEqual([
      'paid',
      12_400,
    ]);
  });

  test('success: a payment of a cancelled invoice is refunded', async () => {
    const number = await invoiceIn(auction, payer, 'unpaid');
    const link = await auction.oneoff(number);
    await become(number, 'cancelled');
    const reference = await payer.pay(link);
    await eventually(payer, async () =>
      expect(await refundsOf(reference)).toEqual([{ state: 'done', amount: 12_400 }]),
    );
    expect(await payer.invoice(number)).toMatchObject({ status: 'cancelled', held: false });
    expect([await postedFrom(registry, reference), await standing(reference)]).toEqual([0, 0]);
  });

  test('success: only the payment that paid an invoice can reverse it', async () => {
    const { number, link } = await auction.invoice('124.00');
    const oneoff = await auction.oneoff(number);
    await payer.pay(link);
    await payer.invoice(number);
    const second = await payer.pay(oneoff);
    await payer.invoice(number);
    await payer.move(second, 'chargebacked');
    await payer.advance('PT10S');
    expect(await payer.invoice(number)).toMatchObject({ status: 'paid' });
    expect([await postedFor(registry, number), await postedFrom(registry, second)]).toEqual([12_400, 0]);
  });

  test('success: a chargeback that the balance cannot cover becomes a debt, which later credits repay first', async () => {
    const client = poor(registry.url);
    const topUp = async () => {
      const { body } = await client.post('/invoices/add_credit', { invoice: { amount: '100.00' } });
      const { invoice_number: number, payment_link: link } = body.data.invoice;
      const reference = await payer.pay(link);
      expect((await payer.invoice(number)).status).toBe('paid');
      return { number, reference };
    };
    const { number, reference } = await topUp();
    expect(await balanceOf(client)).toBe('105.00');
    const jaan = await Registrant.of(client);
    await jaan.register({ period: 10, period_unit: 'y' });
    expect(await balanceOf(client)).toBe('15.00');
    await payer.move(reference, 'chargebacked');
    expect((await payer.invoice(number)).status).toBe('refunded');
    expect(await balanceOf(client)).toBe('0.00');
    expect(outcome(await jaan.try({ period: 3, period_unit: 'm' }))).toEqual([400, 2104]);
    const { data: news } = (await client.get('/registrar/notifications')).body;
    expect([news.type, news.text]).toEqual([
      'debt_incurred',
      `Reversal of invoice ${number}: 100.00 EUR were taken from your account, 85.00 EUR more than its balance. You owe 85.00 EUR; nothing can be bought until that is repaid`,
    ]);
    const later = await topUp();
    expect(await balanceOf(client)).toBe('15.00');
    const { transactions } = (await client.get('/accounts/balance?detailed=true')).body.data;
    type Transaction = { description: string; sum: string; balance: string };
    expect(
      transactions
        .slice(0, 4)
        .map(({ description, sum, balance }: Transaction) => [description, sum, balance]),
    ).toEqual([
      [`Repayment of debt by: Top-up by invoice ${later.number}`, '-85.00', '15.00'],
      [`Top-up by invoice ${later.number}`, '100.00', '100.00'],
      [`Reversal of invoice ${number}`, '-100.00', '0.00'],
      [`Debt incurred by: Reversal of invoice ${number}`, '85.00', '100.00'],
    ]);
    expect(await checkLedger(registry.sql)).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { initiators } from '../../src/billing/invoices/invoice.ts';
import { Payer, post, Service, tokenOf } from '../support/billing.ts';
import {
  eventually,
  invoiceIn,
  postedFor,
  postedFrom,
  reportedStatuses,
  withoutTrace,
} from '../support/books.ts';
import { alpha } from '../support/client.ts';
import { balanceOf } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';
import { NOTICED } from '../support/waiting.ts';

/** Known failures of invoicing and payment systems, each shown not to occur here. */
let registry: TestRegistry;
let auction: Service;
let eeid: Service;
let payer: Payer;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  eeid = new Service(registry.url, 'eeid');
  payer = new Payer(registry.url);
});
afterAll(() => registry.stop());

const GENERATOR = '/invoice_generator';
const RETURN = 'https://auction.example/done';
const bulk = (description: string, transaction_amount: string) =>
  auction.post(`${GENERATOR}/bulk_payment`, {
    custom_field2: 'auction',
    customer_url: RETURN,
    description,
    transaction_amount,
  });
const become = (number: number, status: string, service = auction) =>
  service.post(`${GENERATOR}/invoice_status`, { invoice_number: number, status });
const paidInvoice = async (service = auction) => {
  const { number, link } = await service.invoice('124.00');
  const reference = await payer.pay(link);
  expect((await payer.invoice(number)).status).toBe('paid');
  return { number, reference };
};

describe('B1: authentication and ownership', () => {
  test('failure: B1: a bad signature is 401, not 500', async () => {
    const reply = await fetch(`${registry.url}/api/v1${GENERATOR}/invoice_number_generator`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenOf('auction', 'not-the-secret')}` },
    });
    expect([reply.status, await reply.json()]).toEqual([401, { message: 'Access denied', code: '403' }]);
  });

  test('failure: B1: no service acts on the invoice of another, whichever initiator the body names', async () => {
    const { number } = await eeid.invoice('10.00');
    const deposit = 'auction_deposit hazard.ee, user_uuid u-1';
    await auction.post(`${GENERATOR}/deposit_prepayment`, {
      custom_field2: 'auction',
      customer_url: RETURN,
      description: deposit,
      transaction_amount: '5.00',
    });
    const named = { initiator: 'eeid', custom_field2: 'eeid' };
    await withoutTrace(registry, async () => {
      for (const initiator of initiators.filter((other) => other !== 'eeid')) {
        const other = new Service(registry.url, initiator);
        const replies = [
          await become(number, 'paid', other),
          await other.post(`${GENERATOR}/oneoff`, { invoice_number: String(number), customer_url: RETURN }),
          await other.post(`${GENERATOR}/oneoff`, {
            invoice_number: String(number),
            customer_url: RETURN,
            ...named,
          }),
          await other.post(`${GENERATOR}/invoice_generator`, {
            invoice_number: number,
            transaction_amount: '10.00',
            ...named,
          }),
          await other.post(`${GENERATOR}/bulk_payment`, {
            customer_url: RETURN,
            description: String(number),
            transaction_amount: '10.00',
            custom_field2: initiator,
          }),
          await other.post(`${GENERATOR}/reference_number_generator`, named),
          await other.post('/import_data/invoice_data', [{ ...named, invoice_number: number }]),
          await other.get(`/invoices/${number}`),
          await other.get(`/invoices/${number}/pdf`),
        ];
        expect(replies.map(({ status }) => status)).toEqual([404, 404, 422, 422, 422, 422, 422, 404, 404]);
      }
      const status = await eeid.post(`${GENERATOR}/deposit_status`, {
        domain_name: 'hazard.ee',
        user_uuid: 'u-1',
        status: 'paid',
      });
      expect(status.status).toBe(404);
    });
  });

  test('success: B1: an expired token is no longer valid', async () => {
    const exp = Math.floor(Date.now() / 1000) - 1;
    const token = await tokenOf('auction', 'auction-sandbox-secret', { exp });
    const reply = await fetch(`${registry.url}/api/v1/invoices/1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(reply.status).toBe(401);
  });
});

describe('B2: statuses and numbers', () => {
  test('success: B2: a pending attempt is not treated as failed', async () => {
    const { number, link } = await auction.invoice('124.00');
    const reference = await payer.pay(link, 'waiting_for_sca');
    await payer.move(reference, 'sent_for_processing');
    expect((await payer.invoice(number)).status).toBe('unpaid');
  });

  test('success: B2, C1: refunded after paid is not ignored: it is reversed, and the service is notified', async () => {
    const { number, reference } = await paidInvoice();
    await payer.move(reference, 'refunded');
    expect((await payer.invoice(number)).status).toBe('refunded');
    expect([await postedFor(registry, number), await reportedStatuses(payer, number)]).toEqual([
      0,
      ['paid', 'refunded'],
    ]);
  });

  test('success: B2: a callback about a cancelled invoice does not make it failed', async () => {
    const { number, link } = await auction.invoice('124.00');
    await become(number, 'cancelled');
    await payer.pay(link, 'failed');
    expect((await payer.invoice(number)).status).toBe('cancelled');
  });

  test('failure: B2: an amount of 0.0 pays no invoice', async () => {
    const invoice_number = await auction.number();
    const reply = await auction.post(`${GENERATOR}/invoice_generator`, {
      invoice_number,
      transaction_amount: '0.0',
    });
    expect(reply.status).toBe(422);
    expect((await auction.get(`/invoices/${invoice_number}`)).status).toBe(404);
  });

  test('success: B2: two requests before either has issued an invoice get two numbers', async () => {
    const numbers = await Promise.all(Array.from({ length: 10 }, () => auction.number()));
    expect(new Set(numbers).size).toBe(10);
  });

  test('failure: B2, A5: one number never has two invoices, enforced by the schema', async () => {
    const { number } = await auction.invoice('10.00');
    const copy = sql`
      insert into invoices (number, initiator, kind, status, currency, amount, net, vat, vat_percent, description, issued_at, due_date)
      select number, initiator, kind, status, currency, amount, net, vat, vat_percent, description, issued_at, due_date
      from invoices where number = ${number}`;
    await expect(registry.sql.run(copy)).rejects.toMatchObject({ code: '23505' });
  });

  test('success: C, E12: a reference number whose weighted sum ends with zero has the check digit 0', async () => {
    const reply = await auction.post('/import_data/reference_data', [{ reference_number: '7734230' }]);
    expect(reply.body.message).toMatch(/^Added 1 /);
  });
});

describe('B3: the endpoints', () => {
  test('failure: B3.1: a bulk payment whose amount is not the sum of its invoices', async () => {
    const { number } = await auction.invoice('124.00');
    const reply = await withoutTrace(registry, () => bulk(String(number), '0.01'));
    expect([reply.status, Object.keys(reply.body.error)]).toEqual([422, ['transaction_amount']]);
  });

  test('failure: B3.1: a bulk payment of unknown, paid or foreign invoices', async () => {
    const paid = await paidInvoice();
    const theirs = await eeid.invoice('124.00');
    for (const number of [199_000, paid.number, theirs.number]) {
      const reply = await withoutTrace(registry, () => bulk(String(number), '124.00'));
      expect([reply.status, Object.keys(reply.body.error)]).toEqual([422, ['description']]);
    }
  });

  test('failure: B3.4, B3.8, B3.10: an error has a status and a body, never 204', async () => {
    const replies = [
      await auction.post(`${GENERATOR}/deposit_status`, { domain_name: 'a', user_uuid: 'b', status: 'paid' }),
      await auction.post(`${GENERATOR}/deposit_status`, { domain_name: 'a', user_uuid: 'b', status: 'x' }),
      await auction.post(`${GENERATOR}/invoice_generator`, { invoice_number: null }),
      await auction.post(`${GENERATOR}/invoice_generator`, {}),
      await become(199_000, 'paid'),
      await become(199_000, 'nothing'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 422, 422, 422, 404, 422]);
    expect(replies.every(({ body }) => 'error' in body)).toBe(true);
  });

  test('success: B3.7: an invalid status is skipped, and is no server error', async () => {
    const reply = await auction.post('/import_data/invoice_data', [
      { invoice_number: 120_001, transaction_amount: '10.00', status: 'bad' },
    ]);
    expect([reply.status, reply.body.message]).toEqual([
      200,
      expect.stringMatching(/^Added 0 invoices, skipped 1\./),
    ]);
  });

  test('failure: B3.11: an allowed origin is compared whole, not as a substring', async () => {
    const { number } = await auction.invoice('10.00');
    const reply = await auction.post(`${GENERATOR}/oneoff`, {
      invoice_number: String(number),
      customer_url: 'https://auction.example.evil.example',
    });
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: { customer_url: ['this url not supported'] } },
    ]);
  });

  test('failure: B3.11: no redirect to the payment page of a paid invoice', async () => {
    const number = await invoiceIn(auction, payer, 'paid');
    const reply = await withoutTrace(registry, () =>
      auction.post(`${GENERATOR}/oneoff`, { invoice_number: String(number), customer_url: RETURN }),
    );
    expect(reply.status).toBe(422);
  });

  test('success: B3.13: an owner that asks twice has one reference number', async () => {
    const ask = () => auction.post(`${GENERATOR}/reference_number_generator`, { owner: 'Hazard' });
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(one.body).toEqual(other.body);
  });
});

describe('B4: the callback', () => {
  test('success: B4: a message that could not be delivered is delivered later, also when the callback is repeated', async () => {
    const { number, link } = await auction.invoice('124.00');
    await payer.deliveries();
    await payer.fault('service', 'down', 1000);
    const reference = await payer.pay(link);
    expect((await payer.invoice(number)).status).toBe('paid');
    await payer.callback(`?payment_reference=${reference}`);
    await payer.advance('PT10M');
    await payer.fault('service', 'none');
    await payer.advance('PT1H');
    const messages = (await payer.deliveries()).filter(({ invoice_number }) => invoice_number === number);
    expect(messages).toMatchObject([{ status: 'delivered' }]);
  });

  test.each(initiators.filter((initiator) => initiator !== 'registry'))(
    'success: B4: %s has an address and is notified',
    async (initiator) => {
      const { number } = await paidInvoice(new Service(registry.url, initiator));
      const messages = (await payer.deliveries()).filter(({ invoice_number }) => invoice_number === number);
      expect(messages).toMatchObject([{ target: `service:${initiator}`, status: 'delivered' }]);
    },
  );

  test('failure: B4: one cent pays no invoice of 124.00', async () => {
    const { number, link } = await auction.invoice('124.00');
    await payer.pay(link, 'settled', { amount: '0.01' });
    expect(await payer.invoice(number)).toMatchObject({ status: 'unpaid', held: true });
  });

  test('failure: B4: numbers in a description are not taken for invoice numbers', async () => {
    const [theirs, own] = [await eeid.invoice('124.00'), await auction.invoice('124.00')];
    const text = `${theirs.number} ${own.number} ${theirs.number}.ee ${theirs.number}4e-1`;
    const described = await auction.invoice('5.00', {
      custom_field1: text,
      reserved_domain_names: [`${own.number}.ee`],
    });
    const plain = await auction.invoice('5.00', { custom_field1: text });
    const deposit = await auction.post(`${GENERATOR}/deposit_prepayment`, {
      custom_field2: 'auction',
      customer_url: RETURN,
      transaction_amount: '5.00',
      description: `auction_deposit ${theirs.number}, user_uuid ${own.number}, user_email m@e.ee`,
    });
    for (const link of [described.link, plain.link, deposit.body.oneoff_redirect_link]) await payer.pay(link);
    expect((await payer.invoice(plain.number)).status).toBe('paid');
    for (const { number } of [theirs, own]) {
      expect((await payer.invoice(number)).status).toBe('unpaid');
      expect([await postedFor(registry, number), await reportedStatuses(payer, number)]).toEqual([0, []]);
    }
  });

  test('success: B4, E7: callbacks, the payer’s return and another system at once pay once', async () => {
    const client = alpha(registry.url);
    const before = Number(await balanceOf(client));
    const { body } = await client.post('/invoices/add_credit', { invoice: { amount: '100.00' } });
    const { invoice_number: number, payment_link: link } = body.data.invoice;
    const reference = await payer.pay(link, 'settled', { callback: false });
    await Promise.all([
      ...Array.from({ length: 10 }, () =>
        payer.callback(`?payment_reference=${reference}&event_name=status_updated`),
      ),
      ...Array.from({ length: 5 }, () => become(number, 'paid', new Service(registry.url, 'registry'))),
    ]);
    await eventually(payer, async () => {
      const [row] = await registry.sql.rows(
        sql`select count(*)::int as waiting from refunds where state = 'waiting'`,
      );
      expect(row?.waiting).toBe(0);
      expect((await payer.invoice(number)).status).toBe('paid');
    });
    expect(Number(await balanceOf(client))).toBe(before + 100);
    expect(await postedFor(registry, number)).toBe(12_400);
  });

  test('success: B4, E10: two invoices of the same amount are distinguished by their number', async () => {
    const [first, second] = [await auction.invoice('77.00'), await auction.invoice('77.00')];
    await payer.pay(second.link);
    expect([(await payer.invoice(first.number)).status, (await payer.invoice(second.number)).status]).toEqual(
      ['unpaid', 'paid'],
    );
  });

  test('success: B4, C3: a callback that we could not accept is accepted when it is repeated', async () => {
    const { number, link } = await auction.invoice('124.00');
    await registry.sql.run(
      sql`update installation set maintenance_since = now(), maintenance_reason = 'test'`,
    );
    await expect.poll(async () => (await payer.callback('')).status, NOTICED).toBe(503);
    await payer.pay(link);
    await registry.sql.run(sql`update installation set maintenance_since = null, maintenance_reason = null`);
    await expect.poll(async () => (await payer.callback('')).status, NOTICED).toBe(200);
    await payer.advance('PT6M');
    expect((await payer.invoice(number)).status).toBe('paid');
  });
});

describe('B5, B10: payments without a callback', () => {
  test('success: B5: the reference of a one-off payment is stored when it is created', async () => {
    const { number } = await auction.invoice('124.00');
    const link = await auction.oneoff(number);
    const { payments } = await payer.invoice(number);
    expect(payments).toMatchObject([{ payment_state: 'initial' }]);
    expect(link).toContain(payments[0].payment_reference);
  });

  test('success: B10: payments are polled without a callback, and every final state is found', async () => {
    const ends = { settled: 'paid', failed: 'failed', abandoned: 'failed' };
    const numbers: Record<string, number> = {};
    for (const outcome of Object.keys(ends)) {
      const { number } = await auction.invoice('124.00');
      await payer.pay(await auction.oneoff(number), outcome, { callback: false });
      numbers[outcome] = number;
    }
    await payer.advance('PT11M');
    for (const [outcome, status] of Object.entries(ends))
      expect((await payer.invoice(numbers[outcome] ?? 0)).status).toBe(status);
  });

  test('success: B5: a bulk payment of many invoices has an order reference that banks accept', async () => {
    const numbers: number[] = [];
    for (let count = 0; count < 20; count++) numbers.push((await auction.invoice('1.00')).number);
    const { body } = await bulk(numbers.join(' '), '20.00');
    const [row] = await registry.sql.rows(sql`
      select order_reference from provider_simulator.payments order by created_at desc limit 1`);
    expect(row?.order_reference).toMatch(/^[a-zA-Z0-9/\-?:().,'+ ]{1,120}$/);
    await payer.pay(body.oneoff_redirect_link);
    expect((await payer.invoice(numbers.at(-1) ?? 0)).status).toBe('paid');
  });
});

describe('C: the provider', () => {
  test('success: C6: the answer of open banking is stored as it is, with the account of the payer', async () => {
    const { reference } = await paidInvoice();
    const [row] = await registry.sql.rows(sql`
      select answer->'ob_details'->>'creditor_iban' as creditor, answer->'ob_details'->>'ob_payment_state' as state
      from payments where reference = ${reference}`);
    expect(row).toEqual({ creditor: 'EE382200221020145685', state: 'ACSC' });
  });

  test('success: C6: no data about cards or banks of payers are sent to a service', async () => {
    const { number } = await paidInvoice();
    const [message] = (await payer.deliveries()).filter(({ invoice_number }) => invoice_number === number);
    for (const secret of ['iban', 'cc_details', 'EE47', 'customer_ip', 'api_username', 'payment_link'])
      expect(message.body).not.toContain(secret);
  });

  test('failure: C2: a callback alone proves nothing; the provider is polled', async () => {
    const { number, link } = await auction.invoice('124.00');
    const reference = await payer.pay(link, 'waiting_for_sca');
    await payer.invoice(number);
    await withoutTrace(registry, async () => {
      await payer.callback(
        `?payment_reference=${reference}&event_name=status_updated&payment_state=settled&order_reference=${number}&standing_amount=124.00`,
      );
      expect((await payer.invoice(number)).status).toBe('unpaid');
    });
  });

  test('failure: C2: status_update and status_updated are two events, both shown', async () => {
    const { number, reference } = await paidInvoice();
    await payer.callback(`?payment_reference=${reference}&event_name=status_update`);
    const { events } = await payer.invoice(number);
    expect(events.map(({ event_name }: { event_name: string }) => event_name)).toEqual([
      'status_updated',
      'status_update',
    ]);
  });

  test('success: C4: after a failed attempt the same link can be paid, and pays once', async () => {
    const { number, link } = await auction.invoice('124.00');
    await payer.pay(link, 'failed');
    expect((await payer.invoice(number)).status).toBe('failed');
    const reference = await payer.pay(link);
    expect((await payer.invoice(number)).status).toBe('paid');
    expect(await postedFrom(registry, reference)).toBe(12_400);
    const { payments } = await payer.invoice(number);
    expect(payments.map(({ payment_state }: { payment_state: string }) => payment_state).toSorted()).toEqual([
      'failed',
      'settled',
    ]);
  });
});

describe('exhausted ranges and due dates', () => {
  test('failure: B2: deposits and bulk payments report that no number is left', async () => {
    await registry.sql.run(sql`update invoice_ranges set next_number = 14002 where name = 'deposit'`);
    const { number } = await auction.invoice('10.00');
    const replies = await withoutTrace(registry, async () => [
      await bulk(String(number), '10.00'),
      await auction.post(`${GENERATOR}/deposit_prepayment`, {
        custom_field2: 'auction',
        customer_url: RETURN,
        transaction_amount: '5.00',
        description: 'auction_deposit range.ee, user_uuid u-1',
      }),
    ]);
    for (const { status, body } of replies)
      expect([status, body]).toEqual([
        501,
        { message: 'Number create failed. out of range', error: 'out of range' },
      ]);
  });

  test('failure: B2: the last number of a range is handed out once', async () => {
    await registry.sql.run(sql`update invoice_ranges set next_number = 199999 where name = 'regular'`);
    expect(await auction.number()).toBe(199_999);
    for (let time = 0; time < 2; time++)
      expect((await auction.post(`${GENERATOR}/invoice_number_generator`)).status).toBe(501);
  });

  test('success: B10: an unpaid invoice becomes overdue and its service is notified; a top-up is cancelled later', async () => {
    await post(`${registry.url}/sandbox/reset`, {});
    const { number, link } = await auction.invoice('124.00');
    const issued = await alpha(registry.url).post('/invoices/add_credit', { invoice: { amount: '100.00' } });
    const { invoice_number: topUp, payment_link } = issued.body.data.invoice;
    await payer.advance('P32D');
    expect([(await payer.invoice(number)).status, (await payer.invoice(topUp)).status]).toEqual([
      'overdue',
      'overdue',
    ]);
    await payer.advance('P31D');
    expect([(await payer.invoice(number)).status, (await payer.invoice(topUp)).status]).toEqual([
      'overdue',
      'cancelled',
    ]);
    await payer.pay(link);
    const late = await payer.pay(payment_link);
    expect((await payer.invoice(number)).status).toBe('paid');
    expect(await reportedStatuses(payer, number)).toEqual(['overdue', 'paid']);
    await eventually(payer, async () => {
      const [refund] = await registry.sql.rows(
        sql`select state from refunds where payment_reference = ${late}`,
      );
      expect(refund?.state).toBe('done');
    });
    expect(await balanceOf(alpha(registry.url))).toBe('100000.00');
  });
});

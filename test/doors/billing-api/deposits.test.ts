import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Payer, Service } from '../../support/billing.ts';
import { eventually, postedFor, reportedStatuses, withoutTrace } from '../../support/books.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { randomOf, seed } from '../../support/seed.ts';
import { sql } from '../../support/sql.ts';

const PREPAY = '/invoice_generator/deposit_prepayment';
const STATUS = '/invoice_generator/deposit_status';

let registry: TestRegistry;
let auction: Service;
let payer: Payer;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  payer = new Payer(registry.url);
});
afterAll(() => registry.stop());

const prepay = (description: string, members: object = {}) =>
  auction.post(PREPAY, {
    custom_field2: 'auction',
    customer_url: 'https://auction.example/done',
    transaction_amount: '50.00',
    description,
    affiliation: 'auction_deposit',
    ...members,
  });
const newest = async (): Promise<number> => {
  const [row] = await registry.sql.rows(
    sql`select max(number)::int as number from invoices where kind = 'deposit'`,
  );
  return row?.number;
};
type Deposit = { number: number; domain: string; user: string; link: string };
async function deposit(domain = `${randomUUID()}.ee`, user: string = randomUUID()): Promise<Deposit> {
  const { body } = await prepay(`auction_deposit ${domain}, user_uuid ${user}, user_email mari@example.ee`);
  return { number: await newest(), domain, user, link: body.oneoff_redirect_link };
}
const setDepositStatus = (
  { domain, user }: Pick<Deposit, 'domain' | 'user'>,
  status: unknown,
  service = auction,
) => service.post(STATUS, { domain_name: domain, user_uuid: user, status });
async function expectRefused(status: number, error: unknown, request: () => ReturnType<typeof prepay>) {
  const reply = await withoutTrace(registry, request);
  expect([reply.status, reply.body]).toEqual([status, { error }]);
}

describe('deposit_prepayment', () => {
  test('success: an invoice of its own in the deposit range, and a link', async () => {
    const reply = await prepay('auction_deposit Esimene.ee, user_uuid u-1, user_email mari@example.ee');
    expect([reply.status, Object.keys(reply.body), reply.body.message]).toEqual([
      201,
      ['message', 'oneoff_redirect_link'],
      'Link created',
    ]);
    expect((await auction.get('/invoices/10001')).body).toMatchObject({
      kind: 'deposit',
      status: 'unpaid',
      transaction_amount: '50.00',
      reference_number: expect.stringMatching(/^\d{10}$/),
      payments: [{ payment_link: reply.body.oneoff_redirect_link, payment_state: 'initial' }],
    });
    const [row] = await registry.sql.rows(sql`
      select deposit_domain as domain, deposit_user as user, deposit_email as email from invoices where number = 10001`);
    expect(row).toEqual({ domain: 'esimene.ee', user: 'u-1', email: 'mari@example.ee' });
  });

  test('success: the auction is notified of its payment as of a deposit', async () => {
    const { number, domain, user, link } = await deposit();
    await payer.pay(link);
    expect((await payer.invoice(number)).status).toBe('paid');
    const [delivery] = (await payer.deliveries()).filter(({ invoice_number }) => invoice_number === number);
    expect([delivery.target, delivery.kind, JSON.parse(delivery.body)]).toMatchObject([
      'service:auction',
      'deposit',
      {
        invoice_number: number,
        status: 'paid',
        transaction_amount: '50.00',
        description: 'deposit',
        domain_name: domain,
        user_uuid: user,
        user_email: 'mari@example.ee',
        affiliation: 1,
      },
    ]);
  });

  test('failure: a description that names no auction', () =>
    expectRefused(
      422,
      {
        description: [
          'names no auction; it must be auction_deposit <domain>, user_uuid <uuid>, user_email <email>',
        ],
      },
      () => prepay('a deposit'),
    ));

  test('failure: a second one of one user for one auction, until the first is returned', async () => {
    const first = await deposit('Teine.ee', 'u-2x');
    const again = () => prepay('auction_deposit teine.EE, user_uuid u-2x');
    const taken = (status: string) => ({
      description: [`the user has a deposit for this auction already: invoice ${first.number} is ${status}`],
    });
    await expectRefused(422, taken('unpaid'), again);
    await payer.pay(first.link);
    expect((await payer.invoice(first.number)).status).toBe('paid');
    await expectRefused(422, taken('paid'), again);
    expect((await prepay('auction_deposit teine.ee, user_uuid U-2X')).status).toBe(201);
    await setDepositStatus(first, 'returned');
    expect((await again()).status).toBe(201);
  });

  test('failure: of many concurrent requests one is begun', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => prepay('auction_deposit korraga.ee, user_uuid u-6x')),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422, 422]);
  });

  test('success: names of the longest characters in UTF-8', async () => {
    const random = randomOf(seed);
    const wide = () =>
      Array.from({ length: 127 }, () => String.fromCodePoint(0x20000 + Math.floor(random() * 40000))).join(
        '',
      );
    const made = await deposit(wide(), wide());
    expect((await setDepositStatus(made, 'paid')).status).toBe(200);
  });

  test.each([
    [{ custom_field2: 'eeid' }, { custom_field2: ['is not the initiator of your token'] }],
    [{ customer_url: 'https://auction.example.evil.example' }, { customer_url: ['this url not supported'] }],
  ])('failure: %j', (members, error) => expectRefused(422, error, () => prepay('auction_deposit', members)));

  test('failure: the provider is unavailable: 502, and what was issued for it is cancelled', async () => {
    const reply = await payer.whileProviderFails('error', () =>
      prepay('auction_deposit away.ee, user_uuid u-9'),
    );
    expect([reply.status, reply.body]).toEqual([502, { error: 'Payment provider unavailable' }]);
    expect(await auction.status(await newest())).toBe('cancelled');
  });
});

describe('deposit_status', () => {
  test('success: prepayment, paid and returned externally, each reported once', async () => {
    const made = await deposit();
    await payer.pay(made.link, 'failed');
    expect((await payer.invoice(made.number)).status).toBe('failed');
    for (const [status, invoiceStatus] of [
      ['prepayment', 'unpaid'],
      ['paid', 'paid'],
      ['returned', 'refunded'],
    ] as const) {
      const reply = await setDepositStatus(made, status);
      expect([reply.status, reply.body]).toEqual([200, { message: 'Status updated' }]);
      expect(await auction.status(made.number)).toBe(invoiceStatus);
    }
    expect(await reportedStatuses(payer, made.number)).toEqual(['failed', 'unpaid', 'paid', 'refunded']);
    expect(await postedFor(registry, made.number)).toBe(0);
  });

  test('success: paid books the amount, and what the provider settles later is refunded', async () => {
    const made = await deposit();
    await setDepositStatus(made, 'paid');
    expect(await postedFor(registry, made.number)).toBe(5000);
    const reference = await payer.pay(made.link);
    await eventually(payer, async () => {
      const [refund] = await registry.sql.rows(
        sql`select state from refunds where payment_reference = ${reference}`,
      );
      expect(refund?.state).toBe('done');
    });
    expect([await postedFor(registry, made.number), await auction.status(made.number)]).toEqual([
      5000,
      'paid',
    ]);
  });

  test('success: returned after the provider settled it', async () => {
    const made = await deposit();
    await payer.pay(made.link);
    await payer.invoice(made.number);
    expect((await setDepositStatus(made, 'returned')).status).toBe(200);
    expect([await auction.status(made.number), await postedFor(registry, made.number)]).toEqual([
      'refunded',
      0,
    ]);
  });

  test('success: of several deposits for one auction and user the last counts, in any case of the name', async () => {
    const first = await deposit('Kordus.ee', 'u-7');
    await setDepositStatus(first, 'paid');
    await setDepositStatus(first, 'returned');
    const last = await deposit('kordus.EE', 'u-7');
    expect((await setDepositStatus({ domain: 'KORDUS.ee', user: 'u-7' }, 'paid')).status).toBe(200);
    expect([await auction.status(first.number), await auction.status(last.number)]).toEqual([
      'refunded',
      'paid',
    ]);
  });

  test('success: one whose payment could not be begun does not block the next', async () => {
    const refused = await payer.whileProviderFails('down', () =>
      prepay('auction_deposit kaks.ee, user_uuid u-3x'),
    );
    expect(refused.status).toBe(502);
    const made = await deposit('kaks.ee', 'u-3x');
    await setDepositStatus(made, 'paid');
    expect((await setDepositStatus(made, 'returned')).status).toBe(200);
    await expectRefused(422, { status: ['an invoice that is refunded cannot become refunded'] }, () =>
      setDepositStatus(made, 'returned'),
    );
  });

  test('failure: no such deposit: another domain, another user, another initiator, part of a name', async () => {
    const made = await deposit('pikk-nimi.ee', 'u-88');
    for (const other of [
      { ...made, domain: 'other.ee' },
      { ...made, user: 'u-8' },
      { ...made, domain: 'nimi.ee' },
      { ...made, domain: '%' },
      { ...made, user: 'U-88' },
    ])
      await expectRefused(404, `Invoice with ${other.domain} and ${other.user} not found`, () =>
        setDepositStatus(other, 'paid'),
      );
    await expectRefused(404, `Invoice with ${made.domain} and ${made.user} not found`, () =>
      setDepositStatus(made, 'paid', new Service(registry.url, 'eeid')),
    );
  });

  test('failure: an invoice that only looks like a deposit', async () => {
    const { number } = await auction.invoice('5.00', {
      custom_field1: 'auction_deposit fake.ee, user_uuid u-fake',
    });
    await expectRefused(404, 'Invoice with fake.ee and u-fake not found', () =>
      setDepositStatus({ domain: 'fake.ee', user: 'u-fake' }, 'paid'),
    );
    expect(await auction.status(number)).toBe('unpaid');
  });

  test('failure: an empty body', () =>
    expectRefused(
      422,
      { domain_name: ['is missing'], user_uuid: ['is missing'], status: ['is missing'] },
      () => auction.post(STATUS, {}),
    ));
});

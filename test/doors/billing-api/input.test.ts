import { describe, expect, test } from 'vitest';
import { readAmount } from '../../../src/doors/billing-api/amounts.ts';
import { callsWithBody, READABLE, readForService } from '../../support/reading.ts';

/** The input of the calls of services, as rows: schema and parser are called directly. */
const RETURN = 'https://auction.example/done';
const wrong = (error: object) => ({ status: 422, body: { error } });

describe('invoice_generator', () => {
  const read = (members: object) =>
    readForService('generateInvoice', { invoice_number: 150_005, transaction_amount: '20.00', ...members });

  test.each([
    ['20', 2000n],
    ['20.5', 2050n],
    ['0.01', 1n],
    ['9999999999.99', 999_999_999_999n],
    [20.1, 2010n],
    [7, 700n],
  ])('success: the amount %j', (amount, cents) => {
    expect(read({ transaction_amount: amount })).toBe(READABLE);
    expect(readAmount(amount)).toBe(cents);
  });

  test.each([
    ['zero', '0', 'must be above zero'],
    ['zero as the reference writes it', '0.0', 'must be above zero'],
    ['zero as a number', 0, 'must be above zero'],
    ['below zero', '-5.00', 'must be an amount such as 20.00'],
    ['below zero as a number', -5, 'must be an amount such as 20.00'],
    ['three decimals', '20.001', 'must be an amount such as 20.00'],
    ['three decimals as a number', 20.001, 'must be an amount such as 20.00'],
    ['a thousands separator', '1,000.00', 'must be an amount such as 20.00'],
    ['a space between thousands', '1 000.00', 'must be an amount such as 20.00'],
    ['a decimal comma', '20,00', 'must be an amount such as 20.00'],
    ['an exponent', '2e1', 'must be an amount such as 20.00'],
    ['a number too large', 1e21, 'must be an amount such as 20.00'],
    ['thirteen digits', '99999999999.00', 'must be an amount such as 20.00'],
    ['a thousand digits', '9'.repeat(1000), 'must be an amount such as 20.00'],
    ['a plus sign', '+20.00', 'must be an amount such as 20.00'],
    ['hexadecimal', '0x14', 'must be an amount such as 20.00'],
    ['other digits', '２０.00', 'must be an amount such as 20.00'],
    ['a currency', '20.00 EUR', 'must be an amount such as 20.00'],
    ['a line end', '20\n.00', 'must be an amount such as 20.00'],
    ['no number', 'NaN', 'must be an amount such as 20.00'],
    ['nothing', '', 'must be filled'],
    ['null', null, 'is missing'],
    ['an array', ['20.00'], 'must be a string'],
    ['an object', { cents: 2000 }, 'must be a string'],
    ['a boolean', true, 'must be a string'],
  ])('failure: an amount of %s', (_what, amount, text) => {
    expect(read({ transaction_amount: amount })).toEqual(wrong({ transaction_amount: [text] }));
  });

  test.each([
    ['0', 'must be an invoice number'],
    ['-1', 'must be an invoice number'],
    ['150005.0', 'must be an invoice number'],
    ['0150005', 'must be an invoice number'],
    ['15 0005', 'must be an invoice number'],
    ['150005; drop table invoices', 'must be an invoice number'],
    ['9'.repeat(16), 'must be an invoice number'],
    [1.5, 'must be an invoice number'],
    [1e300, 'must be an invoice number'],
    ['', 'must be filled'],
    [undefined, 'is missing'],
    [[150005], 'must be a string'],
  ])('failure: %j as a number', (invoice_number, text) => {
    expect(read({ invoice_number })).toEqual(wrong({ invoice_number: [text] }));
  });

  test.each(['eeid', 'registry', 'AUCTION', 'nobody'])(
    'failure: custom_field2 names %s, not the initiator of the token',
    (custom_field2) => {
      expect(read({ custom_field2 })).toEqual(
        wrong({ custom_field2: ['is not the initiator of your token'] }),
      );
    },
  );

  test('success: unknown members are ignored, and empty ones count as absent', () => {
    expect(
      read({
        order_reference: '1',
        linkpay_token: 'x',
        affiliation: 7,
        status: 'paid',
        constructor: { a: 1 },
        customer_name: '',
        customer_email: null,
        reference_number: null,
        reserved_domain_names: null,
      }),
    ).toBe(READABLE);
  });

  test('failure: all errors are reported at once', () => {
    expect(
      read({
        invoice_number: undefined,
        transaction_amount: 'much',
        customer_name: 7,
        custom_field1: 'x'.repeat(2001),
        reserved_domain_names: ['a.ee', 5],
      }),
    ).toEqual(
      wrong({
        invoice_number: ['is missing'],
        transaction_amount: ['must be an amount such as 20.00'],
        customer_name: ['must be a string'],
        custom_field1: ['must have at most 2000 characters'],
        reserved_domain_names: ['must be an array of strings'],
      }),
    );
  });
});

describe('oneoff', () => {
  test.each([
    [{ invoice_number: undefined }, { invoice_number: ['is missing'] }],
    [{ invoice_number: '' }, { invoice_number: ['must be filled'] }],
    [{ invoice_number: 150005 }, { invoice_number: ['must be a string'] }],
    [{ invoice_number: ['150005'] }, { invoice_number: ['must be a string'] }],
    [{ invoice_number: 'x' }, { invoice_number: ['must be an invoice number'] }],
    [{ customer_url: undefined }, { customer_url: ['is missing'] }],
    [{ customer_url: '' }, { customer_url: ['must be filled'] }],
    [{ customer_url: 5 }, { customer_url: ['must be a string'] }],
    [{ customer_url: [RETURN] }, { customer_url: ['must be a string'] }],
    [{ reference_number: 13 }, { reference_number: ['must be a string'] }],
    [{ custom_field2: 'eeid' }, { custom_field2: ['is not the initiator of your token'] }],
    [
      { invoice_number: undefined, customer_url: undefined },
      { invoice_number: ['is missing'], customer_url: ['is missing'] },
    ],
  ])('failure: %j', (members, error) => {
    const body = { invoice_number: '150005', customer_url: RETURN, ...members };
    expect(readForService('payOneoff', body)).toEqual(wrong(error));
  });
});

describe.each(['payInBulk', 'prepayDeposit'])('%s', (id) => {
  const body = {
    custom_field2: 'auction',
    customer_url: RETURN,
    description: '150005',
    transaction_amount: '10.00',
    affiliation: 'x',
  };

  test('success: with and without a reference number', () => {
    expect(readForService(id, body)).toBe(READABLE);
    expect(readForService(id, { ...body, reference_number: '7366488' })).toBe(READABLE);
  });

  test.each([
    [{ custom_field2: undefined }, { custom_field2: ['is missing'] }],
    [{ custom_field2: 'eeid' }, { custom_field2: ['is not the initiator of your token'] }],
    [{ customer_url: undefined }, { customer_url: ['is missing'] }],
    [{ description: undefined }, { description: ['is missing'] }],
    [{ description: ' ' }, { description: ['must be filled'] }],
    [{ description: 5 }, { description: ['must be a string'] }],
    [{ description: ['150005'] }, { description: ['must be a string'] }],
    [{ description: 'x'.repeat(2001) }, { description: ['must have at most 2000 characters'] }],
    [{ transaction_amount: 10 }, { transaction_amount: ['must be a string'] }],
    [{ transaction_amount: '0' }, { transaction_amount: ['must be above zero'] }],
    [{ transaction_amount: '0.00' }, { transaction_amount: ['must be above zero'] }],
    [{ transaction_amount: '-1.00' }, { transaction_amount: ['must be an amount such as 20.00'] }],
    [{ reference_number: 7 }, { reference_number: ['must be a string'] }],
    [{ reference_number: {} }, { reference_number: ['must be a string'] }],
  ])('failure: %j', (members, error) => {
    expect(readForService(id, { ...body, ...members })).toEqual(wrong(error));
  });
});

describe('deposit_status', () => {
  const read = (members: object) =>
    readForService('setDepositStatus', { domain_name: 'a.ee', user_uuid: 'u', status: 'paid', ...members });

  test.each(['prepayment', 'paid', 'returned'])('success: the status %s', (status) => {
    expect(read({ status })).toBe(READABLE);
  });

  test.each([
    ['refunded', 'must be one of prepayment, paid, returned'],
    ['', 'must be one of prepayment, paid, returned'],
    [['paid'], 'must be one of prepayment, paid, returned'],
    ['constructor', 'must be one of prepayment, paid, returned'],
    [undefined, 'is missing'],
  ])('failure: the status %j', (status, text) => {
    expect(read({ status })).toEqual(wrong({ status: [text] }));
  });

  test('failure: an empty body', () => {
    expect(readForService('setDepositStatus', {})).toEqual(
      wrong({ domain_name: ['is missing'], user_uuid: ['is missing'], status: ['is missing'] }),
    );
  });
});

describe('invoice_status', () => {
  const read = (invoice_number: unknown, status: unknown) =>
    readForService('setInvoiceStatus', { invoice_number, status });
  const ONE_OF = 'must be one of unpaid, paid, failed, cancelled, overdue, refunded';

  test('success: the number may be a string', () => {
    for (const number of [150_005, '150005', 999_999_999_999_999])
      expect(read(number, 'cancelled')).toBe(READABLE);
  });

  test.each([
    ['issued', ONE_OF],
    ['PAID', ONE_OF],
    ['', ONE_OF],
    [1, ONE_OF],
    [null, 'is missing'],
    [['paid'], ONE_OF],
    [{}, ONE_OF],
    ['toString', ONE_OF],
  ])('failure: the status %j', (status, text) => {
    expect(read(150_005, status)).toEqual(wrong({ status: [text] }));
  });

  test.each([
    [undefined, 'is missing'],
    ['x', 'must be an invoice number'],
    [-1, 'must be an invoice number'],
    [0, 'must be an invoice number'],
    [[150005], 'must be a string'],
  ])('failure: the number %j', (number, text) => {
    expect(read(number, 'paid')).toEqual(wrong({ invoice_number: [text] }));
  });
});

describe('reference_number_generator', () => {
  const read = (body?: unknown) => readForService('generateReferenceNumber', body);

  test('success: without an owner, also without a body', () => {
    for (const body of [
      undefined,
      {},
      { owner: '' },
      { owner: ' \u200b' },
      { owner: null },
      { email: 'm@e.ee' },
    ])
      expect(read(body)).toBe(READABLE);
  });

  test.each([
    [{ initiator: 'eeid' }, { initiator: ['is not the initiator of your token'] }],
    [{ initiator: 5 }, { initiator: ['must be a string'] }],
    [{ owner: 5 }, { owner: ['must be a string'] }],
    [{ owner: ['Mari'] }, { owner: ['must be a string'] }],
    [{ owner: 'x'.repeat(256) }, { owner: ['must have at most 255 characters'] }],
    [{ email: 'x'.repeat(256) }, { email: ['must have at most 255 characters'] }],
    [{ owner: 'x'.repeat(2001) }, { owner: ['must have at most 2000 characters'] }],
    [[], { body: ['must be an object'] }],
  ])('failure: %j', (body, error) => {
    expect(read(body)).toEqual(wrong(error));
  });
});

describe.each(callsWithBody)('%s', (id) => {
  const form = id.startsWith('import') ? 'an array' : 'an object';

  test.each<[unknown]>([
    [5],
    ['text'],
    [true],
    [null],
    ...(id.startsWith('import') ? [[{}], [{ invoices: [] }], [undefined]] : [[[]], [[[]]]]),
  ] as [unknown][])('failure: %j is not a valid body', (body) => {
    const { status, body: answer } = readForService(id, body) as { status: number; body: { error: object } };
    expect([status, answer.error]).toMatchObject([422, { body: [`must be ${form}`] }]);
  });

  test('success: members of any value are accepted or refused, never an exception', () => {
    const values = [[], {}, 5, -1, true, null, '', ' ', '\u{1f600}', '__proto__'];
    const names = [
      'invoice_number',
      'transaction_amount',
      'status',
      'customer_url',
      'description',
      'owner',
      'email',
      'initiator',
      'custom_field1',
      'custom_field2',
      'reference_number',
      'reserved_domain_names',
      'user_uuid',
      'domain_name',
      'customer_name',
      'customer_email',
      'constructor',
      'invoice_data',
      'invoice',
      'dry',
      'payable',
      'balance_date',
      'balance_end',
      'buyer_country_code',
    ];
    for (const value of values) {
      const members = Object.fromEntries(names.map((name) => [name, value]));
      const read = readForService(id, id.startsWith('import') ? [members] : members);
      if (read !== READABLE) expect(read.status).toBe(422);
    }
  });
});

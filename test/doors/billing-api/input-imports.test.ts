import { describe, expect, test } from 'vitest';
import { type ImportEntry, sortEntries } from '../../../src/billing/invoices/import-entries.ts';
import { readOldInvoice, readOldReference } from '../../../src/doors/billing-api/imports.ts';
import { READABLE, readForService } from '../../support/reading.ts';

/** What is read of the entries of an import; those that cannot be read are skipped. */
const old = (members: object = {}) => ({
  invoice_number: 120_001,
  initiator: 'auction',
  transaction_amount: '124.00',
  status: 'paid',
  in_directo: true,
  e_invoice_sent_at: null,
  transaction_time: '2020-05-06T07:08:09Z',
  ...members,
});

const entryRead = <T>({ read }: ImportEntry<T>): T =>
  'value' in read ? read.value : expect.fail(read.reason);
const reasonOf = <T>({ read }: ImportEntry<T>): string => ('reason' in read ? read.reason : '');

describe('an imported invoice', () => {
  test('success: is read unchanged', () => {
    expect(entryRead(readOldInvoice(old({ e_invoice_sent_at: '2020-06-07T00:00:00Z' })))).toEqual({
      number: 120_001,
      amount: 12_400n,
      status: 'paid',
      inAccounting: true,
      transactionTime: new Date('2020-05-06T07:08:09Z'),
      eInvoiceSentAt: new Date('2020-06-07T00:00:00Z'),
    });
  });

  test('success: numbers and amounts may be strings or numbers, and optional members may be left out', () => {
    expect(
      entryRead(readOldInvoice(old({ invoice_number: '120002', transaction_amount: 10.5 }))),
    ).toMatchObject({
      number: 120_002,
      amount: 1050n,
    });
    expect(
      entryRead(readOldInvoice({ invoice_number: 120_001, transaction_amount: '5', status: 'issued' })),
    ).toEqual({
      number: 120_001,
      amount: 500n,
      status: 'unpaid',
      transactionTime: null,
      inAccounting: false,
      eInvoiceSentAt: null,
    });
  });

  test.each([
    ['issued', 'unpaid'],
    ['unpaid', 'unpaid'],
    ['paid', 'paid'],
    ['cancelled', 'cancelled'],
    ['failed', 'failed'],
    ['refunded', 'refunded'],
    ['overdue', 'overdue'],
  ])('success: the status %s is %s here', (status, here) => {
    expect(entryRead(readOldInvoice(old({ status }))).status).toBe(here);
  });

  test.each([
    [true, true],
    ['true', true],
    [false, false],
    ['yes', false],
    [1, false],
  ])('success: in_directo %j is %j', (in_directo, inAccounting) => {
    expect(entryRead(readOldInvoice(old({ in_directo }))).inAccounting).toBe(inAccounting);
  });

  test.each([
    ['no number', { invoice_number: undefined }],
    ['an invalid number', { invoice_number: 'x' }],
    ['a number in an array', { invoice_number: [130001] }],
    ['a number below one', { invoice_number: 0 }],
    ['a number too large', { invoice_number: 1e18 }],
    ['a bad status', { status: 'bad' }],
    ['no status', { status: undefined }],
    ['a status in an array', { status: ['paid'] }],
    ['no amount', { transaction_amount: null }],
    ['an amount of zero', { transaction_amount: '0.00' }],
    ['an amount below zero', { transaction_amount: -1 }],
    ['an amount with separators', { transaction_amount: '1,000.00' }],
    ['an amount in an array', { transaction_amount: ['5.00'] }],
    ['an amount that is an object', { transaction_amount: { toString: 'x' } }],
  ])('failure: %s', (_what, members) => {
    const [member = ''] = Object.keys(members);
    expect(reasonOf(readOldInvoice(old(members)))).toMatch(new RegExp(`^${member} must be `));
  });

  test.each([
    '',
    'yesterday',
    '2020-05-06',
    5,
    '0000-01-01T00:00:00Z',
    '1899-12-31T23:59:59Z',
    '3000-01-01T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00Z',
  ])('success: an invalid time is left out: %j', (transaction_time) => {
    expect(entryRead(readOldInvoice(old({ transaction_time })))).toMatchObject({
      number: 120_001,
      transactionTime: null,
    });
  });
});

describe('an imported reference number', () => {
  test.each([
    ['a text', { reference_number: '7734230', registrar_name: 'Owner' }, '7734230', 'Owner'],
    ['a number', { reference_number: 2144032 }, '2144032', null],
    ['no owner', { reference_number: '13', registrar_name: null }, '13', null],
    ['a long owner', { reference_number: '13', registrar_name: 'x'.repeat(255) }, '13', 'x'.repeat(255)],
  ])('success: %s', (_what, entry, number, owner) => {
    expect(entryRead(readOldReference(entry))).toEqual({ number, owner });
  });

  test.each([
    ['a wrong check digit', { reference_number: '7366487' }],
    ['one digit', { reference_number: '7' }],
    ['twenty-one digits', { reference_number: '1'.repeat(21) }],
    ['letters', { reference_number: 'RF18539007547034' }],
    ['an empty entry', {}],
    ['an owner that is not a string', { reference_number: '26', registrar_name: 5 }],
    ['an owner too long', { reference_number: '26', registrar_name: 'x'.repeat(256) }],
  ])('failure: %s', (_what, entry) => {
    expect(reasonOf(readOldReference(entry))).toMatch(/^(reference_number|registrar_name) must be /);
  });
});

describe.each([
  ['importInvoices', readOldInvoice],
  ['importReferenceNumbers', readOldReference],
])('%s', (id, readEntry) => {
  const refused = (error: object) => ({ status: 422, body: { error } });

  test('success: an empty list, entries of the caller, and entries that are not objects', () => {
    for (const body of [[], [{}], [{ initiator: 'auction' }], [null, 5, 'text', [], true]])
      expect(readForService(id, body)).toBe(READABLE);
    expect(readEntry(undefined)).toEqual({ given: null, read: { reason: 'is not an object' } });
  });

  test.each(['eeid', 'nobody', null, 5])(
    'failure: an entry of the initiator %j refuses the whole import',
    (initiator) => {
      expect(readForService(id, [{ initiator: 'auction' }, { initiator }])).toEqual(
        refused({ initiator: ['is not the initiator of your token'] }),
      );
    },
  );

  test('failure: more than 50,000 entries', () => {
    expect(readForService(id, Array(50_000).fill(1))).toBe(READABLE);
    expect(readForService(id, Array(50_001).fill(1))).toEqual(
      refused({ body: ['must have at most 50000 entries'] }),
    );
  });
});

test('success: of several entries with one number the last is added, and the others are listed', () => {
  const entries = [
    { given: 1, read: { value: { number: 1, what: 'first' } } },
    { given: 'x', read: { reason: 'no number' } },
    { given: 1, read: { value: { number: 1, what: 'second' } } },
    { given: '1', read: { value: { number: 1, what: 'last' } } },
  ];
  expect(sortEntries(entries)).toEqual({
    values: [{ entry: 3, given: '1', value: { number: 1, what: 'last' } }],
    skipped: [
      { entry: 1, given: 'x', reason: 'no number' },
      { entry: 0, given: 1, reason: 'a later entry has the same number' },
      { entry: 2, given: 1, reason: 'a later entry has the same number' },
    ],
  });
});

test.each(['generateInvoice', 'payOneoff', 'payInBulk', 'prepayDeposit'])(
  'failure: %s checks a reference number like an import',
  (id) => {
    const body = {
      custom_field2: 'auction',
      customer_url: 'https://auction.example',
      invoice_number: '150005',
      transaction_amount: '20.00',
      description: '150005',
    };
    const read = (reference_number: string) => readForService(id, { ...body, reference_number });
    expect(read('7366488')).toBe(READABLE);
    expect(read('7366487')).toEqual({
      status: 422,
      body: {
        error: {
          reference_number: [
            'must be a reference number of 2 to 20 digits, the last of them its check digit',
          ],
        },
      },
    });
  },
);

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Payer, Service } from '../../support/billing.ts';
import { toldOf, withoutTrace } from '../../support/books.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const INVOICES = '/import_data/invoice_data';
const REFERENCES = '/import_data/reference_data';
const WHY = 'What was skipped is known already, or cannot be read.';

let registry: TestRegistry;
let auction: Service;
let eeid: Service;
beforeAll(async () => {
  registry = await startRegistry();
  auction = new Service(registry.url);
  eeid = new Service(registry.url, 'eeid');
});
afterAll(() => registry.stop());

let last = 120_000;
const fresh = () => ++last;
const old = (members: object = {}) => ({
  ...{ invoice_number: fresh(), initiator: 'auction', transaction_amount: '124.00', status: 'paid' },
  ...{ in_directo: true, e_invoice_sent_at: null, transaction_time: '2020-05-06T07:08:09Z', ...members },
});
const invoices = (added: number, skipped: number) => ({
  message: `Added ${added} invoices, skipped ${skipped}. ${WHY}`,
});
const references = (added: number, skipped: number) => ({
  message: `Added ${added} reference numbers, skipped ${skipped}. ${WHY}`,
});

describe('invoice_data', () => {
  test('success: invoices of an older system, as they were', async () => {
    const entry = old();
    const reply = await auction.post(INVOICES, [entry, old({ status: 'issued' })]);
    expect([reply.status, reply.body]).toEqual([200, invoices(2, 0)]);
    expect((await auction.get(`/invoices/${entry.invoice_number}`)).body).toMatchObject({
      ...{
        status: 'paid',
        transaction_amount: '124.00',
        net: '100.00',
        vat: '24.00',
        description: 'prepended',
      },
      ...{ issued_at: '2020-05-06T07:08:09.000Z', paid_at: '2020-05-06T07:08:09.000Z', initiator: 'auction' },
      changes: [{ from: null, to: 'paid' }],
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
  ])('success: the status %s is %s here', async (status, here) => {
    const entry = old({ status });
    await auction.post(INVOICES, [entry]);
    expect(await auction.status(entry.invoice_number)).toBe(here);
  });

  test('success: nothing is booked for them and nobody is told', async () => {
    const entry = old();
    await auction.post(INVOICES, [entry]);
    expect(await toldOf(new Payer(registry.url), entry.invoice_number)).toEqual([]);
    const rows = await registry.sql.rows(
      sql`select from ledger_entries where invoice_number = ${entry.invoice_number}`,
    );
    expect(rows.length).toBe(0);
  });

  test('success: what is there already is skipped, also within one import, and stays as it is', async () => {
    const entry = old();
    const twice = fresh();
    const first = await auction.post(INVOICES, [
      entry,
      old({ invoice_number: twice }),
      old({ invoice_number: twice }),
    ]);
    expect(first.body).toEqual(invoices(2, 1));
    const again = await auction.post(INVOICES, [
      { ...entry, status: 'refunded', transaction_amount: '1.00' },
      old(),
    ]);
    expect(again.body).toEqual(invoices(1, 1));
    expect((await auction.get(`/invoices/${entry.invoice_number}`)).body).toMatchObject({
      status: 'paid',
      transaction_amount: '124.00',
    });
  });

  test('success: a number that was handed out, or belongs to another, is skipped', async () => {
    const handedOut = await eeid.number();
    const theirs = old({ initiator: 'eeid' });
    await eeid.post(INVOICES, [theirs]);
    const reply = await auction.post(INVOICES, [
      old({ invoice_number: handedOut }),
      old({ invoice_number: theirs.invoice_number }),
    ]);
    expect(reply.body).toEqual(invoices(0, 2));
    expect(await eeid.status(theirs.invoice_number)).toBe('paid');
    expect((await auction.get(`/invoices/${theirs.invoice_number}`)).status).toBe(404);
  });

  test.each([
    ['no number', { invoice_number: undefined }],
    ['a number that is none', { invoice_number: 'x' }],
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
  ])('success: one with %s is skipped, the others are not', async (_what, members) => {
    const good = old();
    const reply = await auction.post(INVOICES, [old(members), good]);
    expect([reply.status, reply.body]).toEqual([200, invoices(1, 1)]);
    expect(await auction.status(good.invoice_number)).toBe('paid');
  });

  test.each([[null], [5], ['text'], [[]], [true]])(
    'success: an entry that is %j is skipped',
    async (entry) => {
      expect((await auction.post(INVOICES, [entry, old()])).body).toEqual(invoices(1, 1));
    },
  );

  test.each([
    '',
    'yesterday',
    '2020-05-06',
    5,
    '0000-01-01T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '+275760-09-13T00:00:00Z',
  ])('success: a time that is none is none: %j', async (transaction_time) => {
    const entry = old({ transaction_time });
    expect((await auction.post(INVOICES, [entry])).body).toEqual(invoices(1, 0));
    const { issued_at } = (await auction.get(`/invoices/${entry.invoice_number}`)).body;
    expect(Math.abs(Date.parse(issued_at) - Date.now())).toBeLessThan(60_000);
  });

  test('success: numbers and amounts may be texts or numbers, and the initiator may be left out', async () => {
    const entries = [
      old({ invoice_number: String(fresh()), transaction_amount: 10.5 }),
      { invoice_number: fresh(), transaction_amount: '5', status: 'issued' },
    ];
    expect((await auction.post(INVOICES, entries)).body).toEqual(invoices(2, 0));
  });

  test('success: none at all', async () => {
    expect((await auction.post(INVOICES, [])).body).toEqual(invoices(0, 0));
  });

  test.each(['eeid', 'nobody', null, 5])(
    'failure: one of the initiator %j refuses all, and nothing is added',
    async (initiator) => {
      const reply = await withoutTrace(registry, () => auction.post(INVOICES, [old(), old({ initiator })]));
      expect([reply.status, reply.body]).toEqual([
        422,
        { error: { initiator: ['is not the initiator of your token'] } },
      ]);
    },
  );
});

describe('reference_data', () => {
  const known = (reference_number: unknown, registrar_name: unknown = 'Owner') => ({
    ...{ reference_number, initiator: 'auction', registrar_name },
  });

  test('success: reference numbers of an older system', async () => {
    const reply = await auction.post(REFERENCES, [known('13'), known('7734230', null), known(2144032)]);
    expect([reply.status, reply.body]).toEqual([200, references(3, 0)]);
    const rows = await registry.sql.rows(
      sql`select number, owner, imported, initiator from reference_numbers order by number`,
    );
    expect([...rows]).toEqual([
      { number: '13', owner: 'Owner', imported: true, initiator: 'auction' },
      { number: '2144032', owner: 'Owner', imported: true, initiator: 'auction' },
      { number: '7734230', owner: null, imported: true, initiator: 'auction' },
    ]);
  });

  test('success: what is there already is skipped, also within one import and by whomever', async () => {
    expect((await auction.post(REFERENCES, [known('7366488'), known('7366488'), known('13')])).body).toEqual(
      references(1, 2),
    );
    expect((await eeid.post(REFERENCES, [{ reference_number: '7366488' }])).body).toEqual(references(0, 1));
  });

  test.each([
    ['a wrong check digit', known('7366487')],
    ['one digit', known('7')],
    ['twenty-one digits', known('1'.repeat(21))],
    ['letters', known('RF18539007547034')],
    ['nothing', known(undefined)],
    ['an owner that is no text', known('26', 5)],
    ['an owner too long', known('26', 'x'.repeat(256))],
    ['no object', 5],
  ])('success: %s is skipped', async (_what, entry) => {
    expect((await auction.post(REFERENCES, [entry])).body).toEqual(references(0, 1));
  });

  test('failure: one of another initiator refuses all, and nothing is added', async () => {
    const reply = await withoutTrace(registry, () =>
      auction.post(REFERENCES, [known('26'), { reference_number: '39', initiator: 'eeid' }]),
    );
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: { initiator: ['is not the initiator of your token'] } },
    ]);
  });
});

describe.each([INVOICES, REFERENCES])('failure: what %s does not take', (path) => {
  test.each([[{}], [{ invoices: [] }], ['text'], [5], [null], [undefined]])(
    'failure: %j is no array',
    async (body) => {
      const reply = await auction.post(path, body);
      expect([reply.status, reply.body]).toEqual([422, { error: { body: ['must be an array'] } }]);
    },
  );

  test('failure: more than 50,000 entries', async () => {
    const reply = await auction.post(
      path,
      Array.from({ length: 50_001 }, () => 1),
    );
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: { body: ['must have at most 50000 entries'] } },
    ]);
  });

  test('failure: more than 16 MiB', async () => {
    const reply = await auction.post(path, ['x'.repeat(16 * 1024 * 1024)]);
    expect(reply.status).toBe(413);
  });
});

// Last, since what it leaves behind makes everything slower.
test('success: the largest import there is', async () => {
  const entries = Array.from({ length: 50_000 }, (_, index) => ({
    ...{ invoice_number: 1_000_000 + index, transaction_amount: '1.00', status: 'paid' },
  }));
  const reply = await auction.post(INVOICES, entries);
  expect([reply.status, reply.body]).toEqual([200, invoices(50_000, 0)]);
});

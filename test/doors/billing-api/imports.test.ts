import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Payer, Service } from '../../support/billing.ts';
import { reportedStatuses, withoutTrace } from '../../support/books.ts';
import { restRegularJobs } from '../../support/jobs.ts';
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
  // An unpaid imported invoice is overdue, and would be marked as such while rows are compared.
  await restRegularJobs(registry.sql);
  auction = new Service(registry.url);
  eeid = new Service(registry.url, 'eeid');
});
afterAll(() => registry.stop());

let last = 120_000;
const fresh = () => ++last;
const old = (members: object = {}) => ({
  invoice_number: fresh(),
  initiator: 'auction',
  transaction_amount: '124.00',
  status: 'paid',
  in_directo: true,
  e_invoice_sent_at: null,
  transaction_time: '2020-05-06T07:08:09Z',
  ...members,
});
type Skipped = readonly [entry: number, number: unknown, reason: string];
const KNOWN = 'the number is known already';
const LATER = 'a later entry has the same number';
const DIGIT =
  'reference_number must be a reference number of 2 to 20 digits, the last of them its check digit';
const invoices = (added: number, ...skipped: Skipped[]) => ({
  message: `Added ${added} invoices, skipped ${skipped.length}. ${WHY}`,
  skipped: skipped.map(([entry, invoice_number, reason]) => ({ entry, invoice_number, reason })),
});
const references = (added: number, ...skipped: Skipped[]) => ({
  message: `Added ${added} reference numbers, skipped ${skipped.length}. ${WHY}`,
  skipped: skipped.map(([entry, reference_number, reason]) => ({ entry, reference_number, reason })),
});

describe('invoice_data', () => {
  test('success: invoices of an older system are stored unchanged', async () => {
    const entry = old();
    const reply = await auction.post(INVOICES, [entry, old({ status: 'issued' })]);
    expect([reply.status, reply.body]).toEqual([200, invoices(2)]);
    expect((await auction.get(`/invoices/${entry.invoice_number}`)).body).toMatchObject({
      status: 'paid',
      transaction_amount: '124.00',
      net: '100.00',
      vat: '24.00',
      description: 'prepended',
      issued_at: '2020-05-06T07:08:09.000Z',
      paid_at: '2020-05-06T07:08:09.000Z',
      initiator: 'auction',
      changes: [{ from: null, to: 'paid' }],
    });
  });

  test('success: nothing is booked for them and no service is notified', async () => {
    const entry = old();
    await auction.post(INVOICES, [entry]);
    expect(await reportedStatuses(new Payer(registry.url), entry.invoice_number)).toEqual([]);
    const rows = await registry.sql.rows(
      sql`select from ledger_entries where invoice_number = ${entry.invoice_number}`,
    );
    expect(rows.length).toBe(0);
  });

  test('success: of a service one import is worked on at a time, and those of others beside it', async () => {
    const [held, waiting, other] = [old(), old(), old({ initiator: 'eeid' })];
    let isAnswered = false;
    const parallel = await registry.sql.begin(async (db) => {
      await db.run(sql`
        insert into invoice_numbers (number, initiator, allocated_at) values (${held.invoice_number}, 'eeid', now())`);
      const first = auction.post(INVOICES, [held]);
      await vi.waitFor(async () => {
        const [{ count } = { count: 0 }] = await db.rows(sql<{ count: number }>`
          select count(*)::int as count from pg_locks where not granted and locktype = 'transactionid'`);
        expect(count).toBeGreaterThan(0);
      });
      const second = auction.post(INVOICES, [waiting]);
      void second.then(() => {
        isAnswered = true;
      });
      expect((await eeid.post(INVOICES, [other])).status).toBe(200);
      expect((await eeid.post(INVOICES, [old({ initiator: 'eeid' })])).status).toBe(200);
      expect(isAnswered).toBe(false);
      return { first, second };
    });
    expect((await parallel.first).body).toMatchObject({ skipped: [{ reason: KNOWN }] });
    expect((await parallel.second).body).toEqual(invoices(1));
  });

  test('success: what exists already is skipped, also within one import, and stays unchanged', async () => {
    const entry = old();
    const twice = fresh();
    const first = await auction.post(INVOICES, [
      entry,
      old({ invoice_number: twice }),
      old({ invoice_number: twice }),
    ]);
    expect(first.body).toEqual(invoices(2, [1, twice, LATER]));
    const again = await auction.post(INVOICES, [
      { ...entry, status: 'refunded', transaction_amount: '1.00' },
      old(),
    ]);
    expect(again.body).toEqual(invoices(1, [0, entry.invoice_number, KNOWN]));
    expect((await auction.get(`/invoices/${entry.invoice_number}`)).body).toMatchObject({
      status: 'paid',
      transaction_amount: '124.00',
    });
  });

  test('success: a number that was allocated, or belongs to another initiator, is skipped', async () => {
    const handedOut = await eeid.number();
    const theirs = old({ initiator: 'eeid' });
    await eeid.post(INVOICES, [theirs]);
    const reply = await auction.post(INVOICES, [
      old({ invoice_number: handedOut }),
      old({ invoice_number: theirs.invoice_number }),
    ]);
    expect(reply.body).toEqual(invoices(0, [0, handedOut, KNOWN], [1, theirs.invoice_number, KNOWN]));
    expect(await eeid.status(theirs.invoice_number)).toBe('paid');
    expect((await auction.get(`/invoices/${theirs.invoice_number}`)).status).toBe(404);
  });

  test('success: invalid entries are skipped, the others are not; an invalid time is left out', async () => {
    const good = old({ transaction_time: 'yesterday', status: 'issued' });
    const bad = old({ status: 'bad' });
    const reply = await auction.post(INVOICES, [bad, null, good]);
    expect([reply.status, reply.body]).toEqual([
      200,
      invoices(
        1,
        [
          0,
          bad.invoice_number,
          'status must be one of issued, unpaid, paid, failed, cancelled, overdue, refunded',
        ],
        [1, null, 'is not an object'],
      ),
    ]);
    const { issued_at, status } = (await auction.get(`/invoices/${good.invoice_number}`)).body;
    expect(status).toBe('unpaid');
    expect(Math.abs(Date.parse(issued_at) - Date.now())).toBeLessThan(60_000);
  });

  test('success: an empty list', async () => {
    expect((await auction.post(INVOICES, [])).body).toEqual(invoices(0));
  });

  test('failure: one of another initiator refuses all, and nothing is added', async () => {
    const reply = await withoutTrace(registry, () =>
      auction.post(INVOICES, [old(), old({ initiator: 'eeid' })]),
    );
    expect([reply.status, reply.body]).toEqual([
      422,
      { error: { initiator: ['is not the initiator of your token'] } },
    ]);
  });
});

describe('reference_data', () => {
  const known = (reference_number: unknown, registrar_name: unknown = 'Owner') => ({
    reference_number,
    initiator: 'auction',
    registrar_name,
  });

  test('success: reference numbers of an older system', async () => {
    const reply = await auction.post(REFERENCES, [known('13'), known('7734230', null), known(2144032)]);
    expect([reply.status, reply.body]).toEqual([200, references(3)]);
    const rows = await registry.sql.rows(
      sql`select number, owner, imported, initiator from reference_numbers order by number`,
    );
    expect([...rows]).toEqual([
      { number: '13', owner: 'Owner', imported: true, initiator: 'auction' },
      { number: '2144032', owner: 'Owner', imported: true, initiator: 'auction' },
      { number: '7734230', owner: null, imported: true, initiator: 'auction' },
    ]);
  });

  test('success: what exists already, of any initiator, is skipped, also within one import', async () => {
    expect((await auction.post(REFERENCES, [known('7366488'), known('7366488'), known('13')])).body).toEqual(
      references(1, [0, '7366488', LATER], [2, '13', KNOWN]),
    );
    expect((await eeid.post(REFERENCES, [{ reference_number: '7366488' }])).body).toEqual(
      references(0, [0, '7366488', KNOWN]),
    );
  });

  test('success: invalid entries are skipped', async () => {
    expect((await auction.post(REFERENCES, [known('7366487'), 5])).body).toEqual(
      references(0, [0, '7366487', DIGIT], [1, null, 'is not an object']),
    );
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

describe.each([INVOICES, REFERENCES])('failure: bodies that %s refuses', (path) => {
  test('failure: a body that is not an array', async () => {
    const reply = await auction.post(path, {});
    expect([reply.status, reply.body]).toEqual([422, { error: { body: ['must be an array'] } }]);
  });
});

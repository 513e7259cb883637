import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bankSums } from '../../../src/billing/bank/bank-view.ts';
import { type BankDependencies, importStatement } from '../../../src/billing/bank/import-statement.ts';
import { splitGross } from '../../../src/billing/invoices/vat.ts';
import { checkLedger } from '../../../src/ledger/check-ledger.ts';
import { ALPHA_REFERENCE, BETA_REFERENCE, openBank } from '../../support/bank.ts';
import { Payer, Service } from '../../support/billing.ts';
import { booksOf, reportedStatuses } from '../../support/books.ts';
import { camt, type Entry, type Form, OUR_OTHER_ACCOUNT } from '../../support/camt.ts';
import { alpha, beta, type Client } from '../../support/client.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { seed as firstSeed, randomOf } from '../../support/seed.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let bank: BankDependencies & { close(): Promise<void> };
let auction: Service;
beforeAll(async () => {
  registry = await startRegistry();
  bank = await openBank(registry, { BANK_SET_ASIDE: 'Konto intress,Kaardimaksete tulu' });
  auction = new Service(registry.url);
});
afterAll(async () => {
  expect(await checkLedger(registry.sql)).toEqual([]);
  await bank.close();
  await registry.stop();
});

const NONE = { booked: 0, unmatched: 0, aside: 0, known: 0, passedOver: 0, pending: 0 };
const now = () => new Date();
const fixture = (name: string) => readFileSync(new URL(`./${name}.xml`, import.meta.url));
const take = (bytes: Uint8Array) => importStatement(bank, bytes, now());
const takeEntries = (entries: readonly Entry[], form: Form = {}) => take(camt(entries, form));
const cents = async (client: Client): Promise<bigint> =>
  BigInt((await client.get('/accounts/balance')).body.data.balance.replace('.', ''));
let references = 0;
const reference = () => `REF-${++references}`;

async function topUp(client: Client, amount: string): Promise<{ number: number; total: string }> {
  const { invoice } = (await client.post('/invoices/add_credit', { invoice: { amount } })).body.data;
  return { number: invoice.invoice_number, total: invoice.total };
}
const status = async (number: number): Promise<string> => {
  const [row] = await registry.sql.rows(sql`select status from invoices where number = ${number}`);
  return row?.status;
};
/** The stored line with this text. */
const storedEntry = async (text: string) => {
  const rows = await registry.sql.rows(sql`select * from bank_entries where description = ${text}`);
  expect(rows).toHaveLength(1);
  return rows[0] ?? {};
};

describe('statements of two banks', () => {
  test('success: matching payments are booked, the rest waits for an operator, and a second import changes nothing', async () => {
    const { number } = await topUp(alpha(registry.url), '100.00');
    const before = await cents(alpha(registry.url));
    expect(await take(fixture('esimene-camt054'))).toEqual({ ...NONE, booked: 1 });
    expect(await status(number)).toBe('paid');
    expect(await cents(alpha(registry.url))).toBe(before + 10_000n);
    expect(await take(fixture('esimene-camt053'))).toEqual({
      booked: 1,
      unmatched: 2,
      aside: 1,
      known: 1,
      passedOver: 1,
      pending: 1,
    });
    expect(await cents(alpha(registry.url))).toBe(before + 15_000n);
    const books = await booksOf(registry);
    expect(await take(fixture('esimene-camt053'))).toEqual({ ...NONE, known: 5, passedOver: 1, pending: 1 });
    expect(await booksOf(registry)).toEqual(books);
    expect(await storedEntry('Aitäh!')).toMatchObject({
      status: 'unmatched',
      unmatched_reason: 'reference missing',
    });
    expect(await storedEntry('Ekslik makse tagasi')).toMatchObject({
      status: 'unmatched',
      unmatched_reason: 'return',
    });
    expect(await storedEntry('Konto intress 10.2026')).toMatchObject({ status: 'aside' });
  });

  test('success: a batch with a creditor reference, an end-to-end id, and a line without any reference', async () => {
    const before = await cents(beta(registry.url));
    expect(await take(fixture('teine-camt053'))).toEqual({ ...NONE, booked: 3, unmatched: 1 });
    expect(await cents(beta(registry.url))).toBe(before + 10_000n + 20_000n + 1_000n);
    expect(await take(fixture('teine-camt053'))).toEqual({ ...NONE, known: 4 });
  });
});

describe('what a payment pays', () => {
  test('success: the oldest unpaid invoice over that sum, also an overdue one, then the next, then a new one', async () => {
    const client = beta(registry.url);
    const [first, second] = [await topUp(client, '33.00'), await topUp(client, '33.00')];
    await registry.sql.run(sql`update invoices set status = 'overdue' where number = ${first.number}`);
    const pay = () =>
      takeEntries([{ amount: first.total, referenceNumber: BETA_REFERENCE, reference: reference() }]);
    await pay();
    expect([await status(first.number), await status(second.number)]).toEqual(['paid', 'unpaid']);
    await pay();
    expect(await status(second.number)).toBe('paid');
    await pay();
    const [issued] = await registry.sql.rows(sql`select * from invoices order by number desc limit 1`);
    expect(issued).toMatchObject({
      kind: 'top-up',
      status: 'paid',
      amount: 4092,
      net: 3300,
      vat: 792,
      automatic: false,
      reference_number: BETA_REFERENCE,
    });
  });

  test('success: the account is credited with the net part of any sum, and net and VAT add up to the payment', async () => {
    const amounts = [1n, 2n, 3n, 99n, 12_401n, 99_999n];
    const before = await cents(beta(registry.url));
    const counts = await takeEntries(
      amounts.map((amount) => ({
        amount: (Number(amount) / 100).toFixed(2),
        referenceNumber: BETA_REFERENCE,
        reference: reference(),
      })),
    );
    expect(counts.booked).toBe(amounts.length);
    const gained = amounts.reduce((sum, amount) => sum + splitGross(amount, 24).net, 0n);
    expect(await cents(beta(registry.url))).toBe(before + gained);
  });

  test('success: an invoice of a service, which is notified once', async () => {
    const { body } = await auction.post('/invoice_generator/reference_number_generator', { owner: 'mari' });
    const { number } = await auction.invoice('20.00', { reference_number: body.reference_number });
    const paid = { amount: '20.00', text: `viide ${body.reference_number}`, reference: reference() };
    expect(await takeEntries([paid])).toMatchObject({ booked: 1 });
    expect(await takeEntries([paid], { kind: '054', version: '08' })).toMatchObject({ known: 1 });
    const payer = new Payer(registry.url);
    expect(await auction.status(number)).toBe('paid');
    expect(await reportedStatuses(payer, number)).toEqual(['paid']);
    const { payments } = (await auction.get(`/invoices/${number}`)).body;
    expect(payments).toMatchObject([{ payment_state: 'settled', booked_amount: '20.00' }]);
    // No invoice is left for another such payment, and a customer of a service has no account to top up.
    expect(
      await takeEntries([{ ...paid, reference: reference(), text: `${paid.text} again` }]),
    ).toMatchObject({
      unmatched: 1,
    });
    expect(await storedEntry(`${paid.text} again`)).toMatchObject({ unmatched_reason: 'amount' });
  });

  test.each<[what: string, why: string, details: Partial<Entry>]>([
    ['an unassigned reference number', 'reference unknown', { referenceNumber: '9999992' }],
    [
      'a wrong check digit beside a right number in the text',
      'reference unknown',
      { referenceNumber: '1234562' },
    ],
    ['another currency', 'currency', { currency: 'USD', referenceNumber: ALPHA_REFERENCE }],
    ['a sum without its parts', 'batch', { count: 2 }],
    ['a returned payment of ours', 'return', { reversal: true, referenceNumber: ALPHA_REFERENCE }],
    ['a debit that reverses a payment', 'return', { debit: true, reversal: true }],
    [
      'a debit that is not marked, with a number of ours',
      'return',
      { debit: true, referenceNumber: ALPHA_REFERENCE },
    ],
  ])('failure: %s waits for an operator and moves no money', async (what, why, details) => {
    const before = await booksOf(registry);
    const text = `${what} ${ALPHA_REFERENCE}`;
    const entry = { amount: '5.00', text, reference: reference(), ...details };
    expect(await takeEntries([entry])).toEqual({ ...NONE, unmatched: 1 });
    expect(await booksOf(registry)).toEqual(before);
    const { rows } = {
      rows: await registry.sql.rows(
        sql`select unmatched_reason as why from bank_entries order by id desc limit 1`,
      ),
    };
    expect(rows).toEqual([{ why }]);
  });

  test('failure: two numbers of two owners decide nothing; two numbers of one owner do', async () => {
    const text = `${ALPHA_REFERENCE} või ${BETA_REFERENCE}`;
    expect(await takeEntries([{ amount: '5.00', text, reference: reference() }])).toMatchObject({
      unmatched: 1,
    });
    expect(await storedEntry(text)).toMatchObject({ unmatched_reason: 'references several' });
    await registry.sql.run(sql`
      insert into reference_numbers (number, initiator, owner, imported, created_at) values ('5555550', 'registry', 'ALPHA', true, now())`);
    const own = `${ALPHA_REFERENCE}, vana viide 5555550`;
    expect(await takeEntries([{ amount: '5.00', text: own, reference: reference() }])).toMatchObject({
      booked: 1,
    });
  });

  test('failure: a statement of an account that is not ours is refused as a whole', async () => {
    const before = await booksOf(registry);
    const foreign = { account: 'EE471000001020145685' };
    await expect(takeEntries([{ amount: '5.00' }], foreign)).rejects.toThrow(
      'It tells of the account EE471000001020145685, which is not ours.',
    );
    expect(await booksOf(registry)).toEqual(before);
  });
});

describe('repeated lines of a bank', () => {
  test('success: without references equal texts are the same payment, and two in one document are two payments', async () => {
    const entry = { amount: '7.00', text: `kaks ${BETA_REFERENCE}`, payer: 'Beta' };
    const form = { account: OUR_OTHER_ACCOUNT };
    expect(await takeEntries([entry], { ...form, kind: '054' })).toMatchObject({ booked: 1 });
    expect(await takeEntries([entry, entry], form)).toMatchObject({ booked: 1, known: 1 });
    expect(await takeEntries([entry, entry], form)).toMatchObject({ booked: 0, known: 2 });
  });

  test('success: another amount under the same reference is another payment, and waits for an operator', async () => {
    const entry = { amount: '7.10', referenceNumber: BETA_REFERENCE, reference: reference(), text: 'clash' };
    await takeEntries([entry]);
    const other = { ...entry, amount: '7.20', text: 'clashing' };
    expect(await takeEntries([other])).toMatchObject({ unmatched: 1 });
    expect(await storedEntry('clashing')).toMatchObject({ unmatched_reason: 'reference used twice' });
    expect(await takeEntries([other, entry])).toMatchObject({ unmatched: 0, known: 2 });
  });

  test('success: of several payments with one reference in a document the first is booked, the others wait for an operator', async () => {
    const entry = { amount: '7.40', referenceNumber: BETA_REFERENCE, reference: reference() };
    const document = [entry, entry, { ...entry, amount: '7.50' }];
    expect(await takeEntries(document)).toMatchObject({ booked: 1, unmatched: 2 });
    const rows = await registry.sql.rows(sql`
      select unmatched_reason as why from bank_entries where entry_reference = ${entry.reference} and status = 'unmatched'`);
    expect(rows).toEqual([{ why: 'reference used twice' }, { why: 'reference used twice' }]);
    expect(await takeEntries(document)).toMatchObject({ booked: 0, unmatched: 0, known: 3 });
  });

  test('success: a return under the reference of its payment, or with its end-to-end id, is recognised', async () => {
    const entry = {
      amount: '7.30',
      referenceNumber: BETA_REFERENCE,
      reference: reference(),
      endToEndId: 'E2E-1',
    };
    const back = { amount: '7.30', debit: true, endToEndId: 'E2E-1', text: 'back' };
    expect(await takeEntries([entry, { ...back, reference: entry.reference, reversal: true }])).toMatchObject(
      {
        booked: 1,
        unmatched: 1,
      },
    );
    expect(await takeEntries([{ ...back, reference: reference(), text: 'back later' }])).toMatchObject({
      unmatched: 1,
      passedOver: 0,
    });
    expect(await storedEntry('back later')).toMatchObject({ direction: 'debit', unmatched_reason: 'return' });
  });

  test('success: a sum and its parts are counted once, whichever comes first', async () => {
    const parts = [
      { amount: '8.00', referenceNumber: BETA_REFERENCE, text: 'part one' },
      { amount: '9.00', referenceNumber: BETA_REFERENCE, text: 'part two' },
    ];
    const [one, other] = [reference(), reference()];
    expect(await takeEntries([{ amount: '17.00', parts, reference: one }])).toMatchObject({ booked: 2 });
    expect(await takeEntries([{ amount: '17.00', count: 2, reference: one }])).toMatchObject({ known: 1 });
    expect(await takeEntries([{ amount: '17.00', count: 2, reference: other }])).toMatchObject({
      unmatched: 1,
    });
    expect(await takeEntries([{ amount: '17.00', parts, reference: other }])).toMatchObject({ booked: 2 });
    const [sum] = await registry.sql.rows(
      sql`select status from bank_entries where entry_reference = ${other} and batch_booking`,
    );
    expect(sum).toEqual({ status: 'aside' });
  });
});

describe('at the same time', () => {
  test('success: eight imports of one statement book each payment once', async () => {
    const total = 12;
    const invoices = await Promise.all(
      Array.from({ length: total / 2 }, () => topUp(alpha(registry.url), '50.00')),
    );
    const before = await cents(alpha(registry.url));
    const bytes = camt(
      Array.from({ length: total }, () => ({
        amount: '62.00',
        referenceNumber: ALPHA_REFERENCE,
        reference: reference(),
      })),
    );
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => take(bytes)));
    expect(outcomes.reduce((sum, { booked }) => sum + booked, 0)).toBe(total);
    expect(outcomes.reduce((sum, { known }) => sum + known, 0)).toBe(total * 7);
    expect(await cents(alpha(registry.url))).toBe(before + 5_000n * BigInt(total));
    for (const { number } of invoices) expect(await status(number)).toBe('paid');
  });

  test('success: a payment counts once, in whatever documents, order and number it appears', async () => {
    const rounds = process.env.TORTURE ? 40 : 1;
    for (let round = 0; round < rounds; round++) {
      const seed = firstSeed + round;
      const chance = randomOf(seed);
      const entries = Array.from({ length: 20 }, (_, index) => ({
        amount: `${1 + (index % 3)}.24`,
        referenceNumber: index % 2 ? ALPHA_REFERENCE : BETA_REFERENCE,
        // Every third has no bank reference and is identified by its text.
        ...(index % 3 === 0 ? { text: `seed ${seed} line ${index}` } : { reference: reference() }),
      }));
      const documents = Array.from({ length: 8 }, (_, index) => {
        const some = index === 0 ? entries : entries.filter(() => chance() < 0.4);
        const form = { kind: chance() < 0.5 ? '053' : '054', version: chance() < 0.5 ? '02' : '08' } as const;
        return camt(
          some.toSorted(() => chance() - 0.5),
          form,
        );
      });
      const outcomes = await Promise.all(documents.map(take));
      const booked = outcomes.reduce((sum, outcome) => sum + outcome.booked, 0);
      expect({ seed, booked }).toEqual({ seed, booked: entries.length });
      expect(outcomes.every(({ unmatched }) => unmatched === 0)).toBe(true);
    }
  }, 120_000);

  test('success: a transfer and a payment at the provider for one invoice pay it once', async () => {
    const payer = new Payer(registry.url);
    const { body } = await auction.post('/invoice_generator/reference_number_generator', { owner: 'jüri' });
    const invoices = await Promise.all(
      Array.from({ length: 4 }, () => auction.invoice('30.00', { reference_number: body.reference_number })),
    );
    const transfers = invoices.map(() => ({
      amount: '30.00',
      referenceNumber: body.reference_number,
      reference: reference(),
    }));
    await Promise.all([
      ...transfers.map((transfer) => takeEntries([transfer])),
      ...invoices.map(({ link }) => payer.pay(link)),
    ]);
    for (const { number } of invoices) {
      const { status: became, payments } = (await auction.get(`/invoices/${number}`)).body;
      const shares = await registry.sql.rows(
        sql`select booked from payment_shares where invoice_number = ${number} and booked > 0`,
      );
      expect({ became, shares: shares.length, payments: payments.length > 0 }).toEqual({
        became: 'paid',
        shares: 1,
        payments: true,
      });
    }
  });
});

test('failure: a line that differs from its booking is found by the check of the ledger', async () => {
  const [line] = await registry.sql.rows(sql`
    update bank_entries set amount = amount + 1 where id = (select min(id) from bank_entries where status = 'booked') returning id, amount`);
  const findings = await checkLedger(registry.sql);
  await registry.sql.run(sql`update bank_entries set amount = amount - 1 where id = ${line?.id}`);
  expect(findings).toEqual([
    {
      finding: 'a transfer is not booked as the bank told it',
      subject: `bank entry ${line?.id}`,
      expected: String(line?.amount),
      found: String(line?.amount - 1),
    },
  ]);
});

test('success: booked bank lines agree with the ledger to the cent', async () => {
  const sums = await bankSums(registry.sql);
  const booked = sums.reduce((sum, row) => sum + row.booked - row.returned, 0n);
  const [posted] = await registry.sql.rows(sql<{ cents: string }>`
    select sum(case when d.kind = 'payments' then e.amount else -e.amount end)::text as cents
    from ledger_entries e join ledger_accounts d on d.id = e.debit_account where e.payment_reference like 'bank-%'`);
  expect(booked).toBeGreaterThan(0n);
  expect(BigInt(posted?.cents ?? 0)).toBe(booked);
});

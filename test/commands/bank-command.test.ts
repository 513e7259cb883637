import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { assignToInvoice } from '../../src/billing/bank/assign-to-invoice.ts';
import { assignToRegistrar } from '../../src/billing/bank/assign-to-registrar.ts';
import { importStatement } from '../../src/billing/bank/import-statement.ts';
import { reopenEntry } from '../../src/billing/bank/reopen-entry.ts';
import { setEntryAside } from '../../src/billing/bank/set-entry-aside.ts';
import { refundInvoice } from '../../src/billing/payments/refund-invoice.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { carryOut } from '../../src/operations/operator-operation.ts';
import { ALPHA_REFERENCE, openBank } from '../support/bank.ts';
import { Payer, Service } from '../support/billing.ts';
import { withoutTrace } from '../support/books.ts';
import { cadastre, databaseUrl, startProcess } from '../support/cadastre.ts';
import { camt, type Entry, OUR_ACCOUNT } from '../support/camt.ts';
import { alpha, poor } from '../support/client.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { operator } from '../support/operator.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

let registry: TestRegistry;
let bank: Awaited<ReturnType<typeof openBank>>;
const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-bank-'));
beforeAll(async () => {
  registry = await startRegistry();
  bank = await openBank(registry);
});
afterAll(async () => {
  expect(await checkLedger(registry.sql)).toEqual([]);
  await bank.close();
  await registry.stop();
  rmSync(folder, { recursive: true });
});

const env = () => ({ DATABASE_URL: databaseUrl(registry.databaseName) });
const run = (...args: string[]) => cadastre(['bank', ...args], { env: env() });
const balance = async (client: typeof alpha) =>
  (await client(registry.url).get('/accounts/balance')).body.data;
const file = (name: string, bytes: Uint8Array | string): string => {
  const place = path.join(folder, name);
  writeFileSync(place, bytes);
  return place;
};
let references = 0;
/** The id of a line that no rule could book. */
async function unmatched(details: Partial<Entry> & Pick<Entry, 'amount'>): Promise<string> {
  const entry = { text: 'tundmatu', reference: `CLI-${++references}`, ...details };
  const counts = await importStatement(bank, camt([entry]), new Date());
  expect(counts.unmatched).toBe(1);
  const [row] = await registry.sql.rows(sql`select max(id) as id from bank_entries`);
  return String(row?.id);
}
async function topUp(client: typeof alpha, amount: string): Promise<string> {
  const { body } = await client(registry.url).post('/invoices/add_credit', { invoice: { amount } });
  return String(body.data.invoice.invoice_number);
}

describe('cadastre bank import', () => {
  test('success: several files; an unreadable one does not prevent the others', async () => {
    const good = file(
      'good.xml',
      camt([{ amount: '12.40', referenceNumber: ALPHA_REFERENCE, reference: 'F-1' }]),
    );
    const bad = file('bad.xml', '<half');
    const outcome = await run('import', bad, good, path.join(folder, 'missing.xml'), '--json');
    expect(outcome.code).toBe(1);
    expect(JSON.parse(outcome.stdout)).toEqual({
      files: [good],
      booked: 1,
      unmatched: 0,
      aside: 0,
      known: 0,
      passedOver: 0,
      pending: 0,
    });
    expect(outcome.stderr).toMatch(
      /bad\.xml was not taken in: It is no XML: .*\n.*missing\.xml cannot be read \(ENOENT\)\.\n$/,
    );
    expect((await run('import', good)).stdout).toBe(
      `${good}: 0 booked, 0 unmatched, 0 set aside, 1 known before, 0 of our own passed over, 0 pending.\n`,
    );
    expect((await run('sums', '--json')).stdout).toContain('"booked": "12.40"');
  });

  test('success: an import that is killed leaves each payment either booked or not', async () => {
    const entries = Array.from({ length: 30 }, (_, index) => ({
      amount: '1.24',
      referenceNumber: ALPHA_REFERENCE,
      reference: `K-${index}`,
    }));
    const statement = file('killed.xml', camt(entries));
    const before = await balance(alpha);
    const taken = async () => {
      const [row] = await registry.sql.rows(
        sql`select count(*)::int as count from bank_entry_keys where key like 'reference K-%'`,
      );
      return row?.count as number;
    };
    const owner = await connectAsOwner({ ...inject('server'), database: registry.databaseName });
    onTestFinished(() => owner.close());
    for (const enough of [4, 16]) {
      await owner.begin(async (db) => {
        // However fast it is, it waits for an entry that another transaction is about to insert.
        await db.script('set local session_replication_role = replica');
        await db.run(
          sql`insert into bank_entry_keys values (${OUR_ACCOUNT}, ${`reference K-${enough + 8}`}, 0)`,
        );
        const { child, closed } = startProcess(['bank', 'import', statement], env());
        while ((await taken()) < enough && child.exitCode === null) await sleep(2);
        expect(child.exitCode).toBeNull();
        child.kill('SIGKILL');
        await closed;
        await db.run(sql`delete from bank_entry_keys where entry_id = 0`);
      });
      // An open transaction of the killed process is rolled back once the database has noticed.
      const half = await registry.sql.rows(sql`
        select id from bank_entries where status <> 'booked' and entry_reference like 'K-%'
        union all select b.id from bank_entries b left join invoices i on i.number = b.invoice_number
        where b.entry_reference like 'K-%' and i.status is distinct from 'paid'`);
      expect(half).toEqual([]);
    }
    expect(await taken()).toBeLessThan(entries.length);
    expect((await run('import', statement)).code).toBe(0);
    expect(await taken()).toBe(entries.length);
    expect(Number((await balance(alpha)).balance) - Number(before.balance)).toBeCloseTo(30);
  });
});

describe('cadastre bank unmatched, assign, set-aside and reopen', () => {
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const toInvoice = (id: number, number: number) =>
    refusal(carryOut(bank.pool, assignToInvoice(bank), { id, number }, operator()));
  const toRegistrar = (id: number, code: string) =>
    refusal(carryOut(bank.pool, assignToRegistrar(bank), { id, code }, operator()));
  const aside = (id: number) => refusal(carryOut(bank.pool, setEntryAside, { id }, operator()));

  test('success: to the oldest invoice of a registrar over that sum, else to a new one', async () => {
    const number = await topUp(poor, '10.00');
    const [first, second] = [await unmatched({ amount: '12.40' }), await unmatched({ amount: '12.40' })];
    const listed = JSON.parse((await run('unmatched', '--json')).stdout);
    expect(listed).toMatchObject([
      { id: Number(first), amount: '12.40', unmatchedReason: 'reference missing', description: 'tundmatu' },
      { id: Number(second) },
    ]);
    const assign = (id: string) =>
      run('assign', id, '--registrar', 'POOR', '--reason', 'named in a letter', '--yes');
    expect((await assign(first)).stdout).toBe(`Invoice ${number} of registrar POOR is paid.\n`);
    expect((await assign(second)).stdout).toMatch(/^Invoice \d+ of registrar POOR is paid\.\n$/);
    expect(await assign(second)).toMatchObject({ code: 1, stderr: `Bank entry ${second} is booked.\n` });
    expect((await balance(poor)).balance).toBe('25.00');
    const shown = (await run('show', first)).stdout;
    expect(shown).toMatch(/status +booked/);
    expect(shown).toMatch(/unmatched by bank, \S+ booked by operator:\S+ \(named in a letter\)/);
    expect((await run('unmatched')).stdout).toBe('(none)\n');
  });

  test('success: to an invoice, and reversed by a return of the bank', async () => {
    const number = await topUp(poor, '20.00');
    const before = (await balance(poor)).balance;
    const [paid, back] = [
      await unmatched({ amount: '24.80' }),
      await unmatched({ amount: '24.80', debit: true, reversal: true }),
    ];
    const assign = (id: string) => run('assign', id, '--invoice', number, '--reason', 'x', '--yes');
    expect(await assign(back)).toMatchObject({ code: 1, stderr: `Invoice ${number} is unpaid.\n` });
    expect((await assign(paid)).stdout).toBe(`Invoice ${number} is paid.\n`);
    expect(Number((await balance(poor)).balance) - Number(before)).toBe(20);
    expect((await assign(back)).stdout).toBe(`Invoice ${number} is refunded.\n`);
    expect((await balance(poor)).balance).toBe(before);
    const [change] = await registry.sql.rows(sql`
      select actor, reason, to_status from invoice_changes where invoice_number = ${number} order by sequence_number desc limit 1`);
    expect(change).toMatchObject({ to_status: 'refunded', reason: 'x' });
    expect(change?.actor).toMatch(/^operator:/);
  });

  test('success: two concurrent assignments book it once', async () => {
    const id = await unmatched({ amount: '6.20' });
    const before = (await balance(poor)).balance;
    const outcomes = await Promise.all(
      [0, 1].map(() => run('assign', id, '--registrar', 'POOR', '--reason', 'x', '--yes')),
    );
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(Number((await balance(poor)).balance) - Number(before)).toBe(5);
  });

  test('success: set aside and reopened, each with its reason', async () => {
    const id = await unmatched({ amount: '3.00' });
    expect((await run('set-aside', id, '--reason', 'interest')).stdout).toBe(
      `Bank entry ${id} is set aside.\n`,
    );
    expect((await run('reopen', id, '--reason', 'no interest')).stdout).toBe(
      `Bank entry ${id} waits for a person.\n`,
    );
    const changes = await registry.sql.rows(sql`
      select to_status, reason from bank_entry_changes where entry_id = ${id} order by id`);
    expect(changes.map(({ to_status, reason }) => [to_status, reason])).toEqual([
      ['unmatched', null],
      ['aside', 'interest'],
      ['unmatched', 'no interest'],
    ]);
  });

  test('failure: another amount, a returned payment of ours, unknown invoices, registrars and entries; nothing is booked', async () => {
    const id = Number(await unmatched({ amount: '3.10' }));
    const reversed = Number(await unmatched({ amount: '3.10', reversal: true }));
    const debit = Number(await unmatched({ amount: '3.10', debit: true, reversal: true }));
    const number = Number(await topUp(poor, '2.50'));
    const other = Number(await topUp(poor, '2.51'));
    const books = await registry.sql.rows(sql`select count(*)::int as count from ledger_entries`);
    expect([
      await toInvoice(id, 999),
      await toInvoice(id, other),
      await toInvoice(reversed, number),
      await toInvoice(debit, number),
      await toRegistrar(id, 'NOBODY'),
      await toRegistrar(debit, 'POOR'),
      await toRegistrar(reversed, 'POOR'),
      await toRegistrar(999_999, 'POOR'),
      await refusal(carryOut(bank.pool, reopenEntry, { id }, operator())),
    ]).toEqual(
      [
        'There is no invoice 999.',
        `Invoice ${other} is over 3.11 EUR, the entry over 3.10 EUR.`,
        'It is money of ours that came back: it can only be set aside.',
        `Invoice ${number} is unpaid.`,
        'There is no registrar NOBODY.',
        'The bank took it back: name the invoice that it had paid.',
        'It is money of ours that came back: it can only be set aside.',
        'The bank told of nothing that has the number 999999.',
        `Bank entry ${id} is unmatched.`,
      ].map((sentence) => `Refused: ${sentence}`),
    );
    expect(await registry.sql.rows(sql`select count(*)::int as count from ledger_entries`)).toEqual(books);
  });

  test('failure: an unknown entry, and one that is set aside; nothing is booked', async () => {
    const id = Number(await unmatched({ amount: '3.20' }));
    const number = Number(await topUp(poor, '2.58'));
    expect(await aside(id)).toBe('done');
    await withoutTrace(registry, async () => {
      for (const assign of [toInvoice, (of: number) => toRegistrar(of, 'POOR'), aside]) {
        expect(await assign(999_999, number)).toBe(
          'Refused: The bank told of nothing that has the number 999999.',
        );
        expect(await assign(id, number)).toBe(`Refused: Bank entry ${id} is aside.`);
      }
    });
    expect((await run('show', String(id))).stdout).toMatch(/status +aside/);
  });

  test('failure: another currency, and no number left for the invoice of a registrar; nothing is booked', async () => {
    const foreign = Number(await unmatched({ amount: '7.77', currency: 'USD' }));
    const id = Number(await unmatched({ amount: '7.77' }));
    const { next } = await registry.sql.one(
      sql<{ next: number }>`select next_number as next from invoice_ranges where name = 'regular'`,
    );
    const setNext = (number: number) =>
      registry.sql.run(sql`update invoice_ranges set next_number = ${number} where name = 'regular'`);
    await setNext(200_000);
    await withoutTrace(registry, async () => {
      expect(await toRegistrar(foreign, 'POOR')).toBe(
        'Refused: Accounts are kept in EUR, the entry is in USD.',
      );
      expect(await toRegistrar(id, 'POOR')).toBe(
        'Refused: No invoice can be issued: the range of numbers is used up',
      );
    }).finally(() => setNext(next));
    expect((await run('show', String(id))).stdout).toMatch(/status +unmatched/);
  });

  test('failure: a return of what the provider is paying back; the invoice stays paid', async () => {
    const payer = new Payer(registry.url);
    const { number, link } = await new Service(registry.url).invoice('9.30');
    await payer.pay(link);
    expect(await payer.invoice(number)).toMatchObject({ status: 'paid' });
    const back = Number(await unmatched({ amount: '9.30', debit: true, reversal: true }));
    await payer.whileProviderFails('down', async () => {
      await carryOut(bank.pool, refundInvoice, { number }, operator());
      expect(await toInvoice(back, number)).toBe('Refused: a refund by the provider is under way.');
      expect(await payer.invoice(number)).toMatchObject({ status: 'paid' });
    });
    expect((await run('show', String(back))).stdout).toMatch(/status +unmatched/);
  });

  test('failure: showing or reopening an unknown entry', async () => {
    const unknown = 'The bank told of nothing that has the number 999999.\n';
    expect(await run('show', '999999')).toMatchObject({ code: 1, stdout: '', stderr: unknown });
    expect(await run('reopen', '999999', '--reason', 'x')).toMatchObject({ code: 1, stderr: unknown });
  });

  test('failure: neither an invoice nor a registrar, and no reason', async () => {
    expect(await run('assign', '1', '--reason', 'x')).toMatchObject({
      code: 1,
      stderr: 'Name either --invoice or --registrar.\n',
    });
    expect(await run('set-aside', '1', '--reason', ' ')).toMatchObject({
      code: 1,
      stderr: '--reason must not be empty: it is kept.\n',
    });
  });
});

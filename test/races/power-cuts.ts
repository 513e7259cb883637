import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { refundInvoice } from '../../src/billing/payments/refund-invoice.ts';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import { carryOut } from '../../src/operations/operator-operation.ts';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { Payer, Service } from '../support/billing.ts';
import { alpha } from '../support/client.ts';
import { operator } from '../support/operator.ts';
import type { SandboxProcess } from '../support/sandbox-process.ts';
import { randomOf, seed } from '../support/seed.ts';
import { sql } from '../support/sql.ts';
import { RaceDatabase } from './race-database.ts';

const INVOICES = 6;
const TOP_UPS = 3;
const MAX_ROUNDS = 30;
const random = randomOf(seed);
type Message = { readonly id: string; readonly body: string };

/** A sandbox that is killed and started again on the same data, and an auction that outlives it. */
export class PowerCuts {
  readonly #auction: Server;
  readonly #received: Message[] = [];
  readonly #database: RaceDatabase;
  #node: SandboxProcess | undefined;
  #paidTopUps = 0;

  private constructor(database: RaceDatabase) {
    this.#database = database;
    this.#auction = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const id = String(request.headers['idempotency-key']);
        this.#received.push({ id, body: Buffer.concat(chunks).toString() });
        response.writeHead(200).end();
      });
    });
  }

  static async start(): Promise<PowerCuts> {
    const powerCuts = new PowerCuts(await RaceDatabase.create());
    await new Promise<void>((listening) => powerCuts.#auction.listen(0, '127.0.0.1', listening));
    powerCuts.#node = await powerCuts.#startNode();
    return powerCuts;
  }

  #startNode(): Promise<SandboxProcess> {
    const { port } = this.#auction.address() as AddressInfo;
    return this.#database.start({ AUCTION_URL: `http://127.0.0.1:${port}/` });
  }

  get #running(): SandboxProcess {
    if (!this.#node) throw new Error('no server runs');
    return this.#node;
  }

  /** Payers pay, some of them twice, the operator refunds, and meanwhile the power fails. */
  async killInTheMiddle(round: number): Promise<void> {
    const { url } = this.#running;
    const [auction, payer] = [new Service(url), new Payer(url)];
    const invoices = await times(INVOICES, () => auction.invoice('20.00'));
    const again = await times(INVOICES, (index) => auction.oneoff(invoices[index]?.number ?? 0));
    const topUps = await times(TOP_UPS, () => topUp(url));
    // The second payment of the first invoice is being refunded when the power fails.
    await payer.pay(invoices[0]?.link ?? '');
    await payer.pay(again[0] ?? '');
    const links = [...invoices.slice(1).map(({ link }) => link), ...again.slice(1), ...topUps];
    const payments = links.map((link) => payer.pay(link).catch(() => undefined));
    const refunds = this.#refundPaid().catch(() => undefined);
    await sleep(20 + (round % 5) * 40 + random() * 40);
    await this.#running.kill9();
    await Promise.all([...payments, refunds]);
    this.#node = await this.#startNode();
  }

  async #refundPaid(): Promise<void> {
    await this.#withOwner(async (db) => {
      const paid = await db.rows(sql<{ number: number }>`
        select number from invoices where status = 'paid' and kind = 'invoice' and paid_by is not null order by number limit 2`);
      const context = operator({ reason: { text: 'asked for' } });
      for (const { number } of paid)
        await carryOut(db, refundInvoice, { number }, context).catch(() => undefined);
    });
  }

  async #withOwner<T>(work: (db: Pool) => Promise<T>): Promise<T> {
    return work(this.#database.sql);
  }

  /** Repeats missing callbacks and lets time pass; a real provider would not forget a callback that was never recorded. */
  async untilQuiet(): Promise<void> {
    const payer = new Payer(this.#running.url);
    await this.#withOwner(async (db) => {
      const withoutCallback = await db.rows(sql<{ reference: string }>`
        select payment_reference as reference from provider_simulator.payments p where not exists (
          select from provider_simulator.callbacks c where c.payment_reference = p.payment_reference)`);
      for (const { reference } of withoutCallback) await payer.callback(`?payment_reference=${reference}`);
      for (let round = 0; round < MAX_ROUNDS; round++) {
        await payer.advance('PT6M');
        const [waiting] = await db.rows(sql`
          select from payments where poll_at is not null or poll_lease_until is not null
          union all select from refunds where state = 'waiting'
          union all select from deliveries where delivered_at is null
          union all select from provider_simulator.callbacks where next_attempt_at is not null and attempts < 3`);
        if (!waiting) return;
      }
      throw new Error('it does not become quiet');
    });
  }

  async expectEverythingOnce(): Promise<void> {
    const { body } = await alpha(this.#running.url).get('/accounts/balance');
    await this.#withOwner(async (db) => {
      const other = await db.rows(sql`
        select s.payment_reference, s.payment_state, s.standing_amount, p.state, p.booked from provider_simulator.payments s
        left join payments p on p.reference = s.payment_reference
        where s.payment_state in ('settled', 'refunded') and (p.reference is null or p.booked <> s.standing_amount or p.surplus <> 0)`);
      expect(other).toEqual([]);
      const twice = await db.rows(sql`
        select s.invoice_number from payment_shares s where booked > 0 group by 1 having count(*) > 1`);
      expect(twice).toEqual([]);
      const paidWithout = await db.rows(sql`
        select number from invoices i where status = 'paid' and not exists (
          select from payment_shares s where s.invoice_number = i.number and s.booked = i.amount and s.payment_reference = i.paid_by)`);
      expect(paidWithout).toEqual([]);
      await expectRefundsOnce(db);
      this.#paidTopUps = (
        await db.rows(sql`select from invoices where kind = 'top-up' and status = 'paid'`)
      ).length;
      expect(body.data.balance).toBe(`${100_000 + 10 * this.#paidTopUps}.00`);
      await this.#expectEverythingDelivered(db);
      expect(await checkLedger(db)).toEqual([]);
    });
  }

  async #expectEverythingDelivered(db: Pool): Promise<void> {
    const changes = await db.rows(sql<{ id: string }>`
      select c.id from invoice_changes c join invoices i on i.number = c.invoice_number
      where i.initiator = 'auction' and c.from_status is not null`);
    expect(new Set(this.#received.map(({ id }) => id))).toEqual(new Set(changes.map(({ id }) => id)));
    expect(new Set(this.#received.map(({ id, body }) => `${id} ${body}`)).size).toBe(changes.length);
  }

  async stop(): Promise<void> {
    await this.#database.end();
    await new Promise((closed) => this.#auction.close(closed));
  }
}

/** The refunds at the provider are those that we ordered. */
async function expectRefundsOnce(db: Pool): Promise<void> {
  const refunds = await db.rows(sql<{ reference: string; ordered: number; gone: number }>`
    select r.payment_reference as reference, sum(r.amount)::bigint as ordered, max(s.initial_amount - s.standing_amount) as gone
    from refunds r join provider_simulator.payments s on s.payment_reference = r.payment_reference
    where r.state = 'done' group by 1`);
  expect(refunds.length).toBeGreaterThan(0);
  for (const { reference, ordered, gone } of refunds) expect([reference, gone]).toEqual([reference, ordered]);
  const [lost] = await db.rows(sql`
    select payment_reference from provider_simulator.payments s where standing_amount < initial_amount and payment_state = 'refunded'
      and not exists (select from refunds r where r.payment_reference = s.payment_reference and r.state = 'done')`);
  expect(lost).toBeUndefined();
}

const times = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

async function topUp(url: string): Promise<string> {
  const { body } = await alpha(url).post('/invoices/add_credit', { invoice: { amount: '10.00' } });
  return body.data.invoice.payment_link;
}

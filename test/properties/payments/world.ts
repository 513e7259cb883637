import { inject } from 'vitest';
import type { Billing, Caller } from '../../../src/billing/context.ts';
import { payInBulk } from '../../../src/billing/invoices/bulk-payment.ts';
import {
  type DepositStatus,
  prepayDeposit,
  setDepositStatus,
} from '../../../src/billing/invoices/deposit.ts';
import { generateInvoice } from '../../../src/billing/invoices/generate.ts';
import type { Initiator } from '../../../src/billing/invoices/invoice.ts';
import { allocateNumber } from '../../../src/billing/invoices/issue.ts';
import { processDueDates } from '../../../src/billing/invoices/process-due-dates.ts';
import { setInvoiceStatus } from '../../../src/billing/invoices/set-invoice-status.ts';
import { issueTopUp } from '../../../src/billing/invoices/issue-top-up.ts';
import { type HeldPayment, listHeld } from '../../../src/billing/payments/list-held-payments.ts';
import { payOnce } from '../../../src/billing/payments/payment-attempt.ts';
import { pollOpenPayments } from '../../../src/billing/payments/poll-leases.ts';
import {
  type PollDependencies,
  pollDuePayments,
  pollPayment,
  pollUnknownPayments,
} from '../../../src/billing/payments/poll-provider.ts';
import { recordCallback } from '../../../src/billing/payments/record-callback.ts';
import { refundInvoice } from '../../../src/billing/payments/refund-invoice.ts';
import { refundDue } from '../../../src/billing/payments/refunds.ts';
import { resolveHeldPayment } from '../../../src/billing/payments/resolve-held-payment.ts';
import { chargeFor } from '../../../src/ledger/charge.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createLog } from '../../../src/platform/logging.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import type { Pool, Sql } from '../../../src/platform/sql/executor.ts';
import { identifier, sql as statement } from '../../../src/platform/sql/statement.ts';
import { part, WithStatement } from '../../../src/platform/sql/with.ts';
import { ee as policy } from '../../../src/policy/ee.ts';
import { moveTopUp } from '../../../src/registry/registrars/registrar-money.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { operator } from '../../support/operator.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import type { RegistrarCode } from '../model/state.ts';
import { type BookInvoice, grossOfNet, netOfGross, type Status, total } from './books.ts';
import { FaultyDatabase } from './faulty-database.ts';
import type { Label, Seen, SeenRefund } from './journal.ts';
import type { Resolution } from './rules.ts';
import { type ProviderRecord, ScriptedProvider } from './scripted-provider.ts';

const BEGINNING = Date.parse('2031-03-03T10:00:00Z');
/** Enough for everything that a sequence calls about. */
const LOOKUPS_PER_SECOND = 1_000;
const CUSTOMER_URL = 'https://portal.example/done';

/** Billing in this process on a separate database, with a scripted provider and injected faults. */
export class PaymentWorld {
  readonly owner: Pool;
  readonly faults: FaultyDatabase<Label, Seen>;
  readonly provider: ScriptedProvider;
  readonly billing: Billing & PollDependencies;
  readonly #stop: () => Promise<void>;
  #now = BEGINNING;
  #registrars = new Map<RegistrarCode, number>();
  #spends = 0;
  transcript: string[] = [];

  private constructor(owner: Pool, real: Database, stop: () => Promise<void>) {
    this.owner = owner;
    this.#stop = stop;
    this.faults = new FaultyDatabase(real, (db) => this.#observe(db));
    this.provider = new ScriptedProvider(this.faults.alive);
    this.billing = {
      database: this.faults.database,
      policy,
      provider: this.provider,
      moveRegistrarMoney: moveTopUp,
      clock: { now: () => new Date(this.#now) },
      log: createLog('silent', process.stderr),
      isReturnAllowed: () => true,
    };
  }

  static async start(): Promise<PaymentWorld> {
    const { name, drop } = await createTestDatabase();
    const target = { ...inject('server'), database: name };
    const limits = {
      ...readConfig('sandbox', {}),
      readConnections: 1,
      listConnections: 1,
      writeConnections: 4,
    };
    const real = openDatabase(target, limits, policy.timeZone);
    const owner = await connectAsOwner(target);
    const world = new PaymentWorld(owner, real, async () => {
      await real.close();
      await owner.close();
      await drop();
    });
    const rows = await owner.rows(sql<{ id: number; code: RegistrarCode }>`select id, code from registrars`);
    world.#registrars = new Map(rows.map(({ id, code }) => [code, id]));
    return world;
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** Deletes the data of the previous sequence, and resets all balances to zero. */
  async begin(): Promise<void> {
    this.#now = BEGINNING;
    this.transcript = [];
    this.provider.forget();
    this.faults.restart();
    this.faults.takeLog();
    await this.owner.begin((db) =>
      Promise.all([
        ...[
          'ledger_entries',
          'history',
          'payment_events',
          'payment_differences',
          'deliveries',
          'held_payments',
          'refunds',
        ].map((table) => db.rows(sql`delete from ${identifier(table)}`)),
        ...['payment_shares', 'invoice_changes', 'bulk_items', 'invoice_lines'].map((table) =>
          db.rows(sql`delete from ${identifier(table)}`),
        ),
        db.rows(sql`update invoices set paid_by = null`),
        ...['payments', 'invoices', 'invoice_numbers', 'invoice_ranges'].map((table) =>
          db.rows(sql`delete from ${identifier(table)}`),
        ),
        db.rows(sql`update ledger_accounts set balance = 0 where registrar_id is not null`),
      ]),
    );
  }

  get now(): number {
    return this.#now;
  }
  pass(ms: number): void {
    this.#now += ms;
  }

  async #observe(db: Sql): Promise<Seen> {
    const seen = await db.one(sql<Omit<Seen, 'at'>>`
      select
        (select coalesce(json_agg(json_build_object('reference', reference, 'serial', (answer->>'serial')::int)), '[]')
          from payments where xmin::text = (pg_current_xact_id()::text)) as payments,
        (select coalesce(json_agg(json_build_object('number', number, 'status', status) order by number), '[]')
          from invoices where xmin::text = (pg_current_xact_id()::text)) as invoices,
        (select coalesce(json_agg(json_build_object('id', id, 'reference', payment_reference, 'invoice', invoice_number, 'amount', amount::text,
          'state', state, 'nonce', nonce) order by id), '[]') from refunds) as refunds`);
    return { ...seen, at: this.#now };
  }

  refundRows(): Promise<SeenRefund[]> {
    return this.owner.rows(sql<SeenRefund>`
      select id, payment_reference as reference, invoice_number as invoice, amount::text as amount, state, nonce from refunds order by id`);
  }

  held(): Promise<HeldPayment[]> {
    return listHeld(this.owner);
  }

  #caller(initiator: string): Caller {
    return { initiator: initiator as Initiator, dryRun: false, now: new Date(this.#now) };
  }

  async topUp(registrar: RegistrarCode, net: bigint): Promise<void> {
    const id = this.#registrars.get(registrar) ?? 0;
    const payer = { id, code: registrar, name: registrar, email: null };
    const amount = grossOfNet(net);
    const order = { registrar: payer, net, automatic: false, actor: registrar, now: new Date(this.#now) };
    await this.faults.labelled(
      { kind: 'issue', plan: { kind: 'top-up', initiator: 'registry', amount, net, registrar } },
      () => this.faults.database.writes.begin((db) => issueTopUp(db, this.billing, order)),
    );
  }

  async invoice(initiator: string, amount: bigint): Promise<void> {
    const caller = this.#caller(initiator);
    const plan = { kind: 'invoice', initiator, amount, net: netOfGross(amount) } as const;
    await this.faults.labelled({ kind: 'issue', plan }, async () => {
      const taken = await this.faults.database.writes.begin((db) =>
        allocateNumber(db, 'regular', caller.initiator, { policy, now: caller.now }),
      );
      const nobody = { customerName: null, customerEmail: null, customField1: null, referenceNumber: null };
      await generateInvoice(this.billing, caller, {
        ...nobody,
        invoiceNumber: taken as number,
        amount,
        reservedDomainNames: [],
      });
    });
  }

  async deposit(amount: bigint, user: string): Promise<void> {
    const plan = { kind: 'deposit', initiator: 'auction', amount, net: netOfGross(amount) } as const;
    const description = `auction_deposit deposit.ee, user_uuid ${user}, user_email ${user}@example.ee`;
    await this.faults.labelled({ kind: 'issue', plan }, () =>
      prepayDeposit(this.billing, this.#caller('auction'), {
        customerUrl: CUSTOMER_URL,
        description,
        amount,
        referenceNumber: null,
      }),
    );
  }

  async bulk(initiator: string, children: readonly BookInvoice[]): Promise<void> {
    const [amount, net] = [
      total(children.map((each) => each.amount)),
      total(children.map((each) => each.net)),
    ];
    const leaves = children.map(({ number }) => number);
    await this.faults.labelled(
      { kind: 'issue', plan: { kind: 'bulk', initiator, amount, net, leaves } },
      () =>
        payInBulk(this.billing, this.#caller(initiator), {
          customerUrl: CUSTOMER_URL,
          description: leaves.join(' '),
          amount,
          referenceNumber: null,
        }),
    );
  }

  oneoff({ number, initiator }: BookInvoice): Promise<unknown> {
    const input = { invoiceNumber: number, customerUrl: CUSTOMER_URL, referenceNumber: null };
    return this.faults.labelled({ kind: 'attempt', number }, () =>
      payOnce(this.billing, this.#caller(initiator), input),
    );
  }

  status({ number, initiator }: BookInvoice, to: Status): Promise<unknown> {
    return this.faults.labelled({ kind: 'status', number, to }, () =>
      setInvoiceStatus(this.billing, this.#caller(initiator), { invoiceNumber: number, status: to }),
    );
  }

  depositStatus(number: number, user: string, status: DepositStatus, to: Status): Promise<unknown> {
    return this.faults.labelled({ kind: 'status', number, to }, () =>
      setDepositStatus(this.billing, this.#caller('auction'), {
        domainName: 'deposit.ee',
        userUuid: user,
        status,
      }),
    );
  }

  refund({ number }: BookInvoice): Promise<unknown> {
    const context = operator({ reason: { text: 'asked for' }, actor: 'operator', now: new Date(this.#now) });
    return this.faults.labelled({ kind: 'refund', number }, () =>
      carryOut(this.faults.database.writes, refundInvoice, { number }, context),
    );
  }

  resolve({ id, reference, kind }: HeldPayment, resolution: Resolution): Promise<unknown> {
    const context = operator({ reason: { text: 'judged' }, actor: 'operator', now: new Date(this.#now) });
    const resolve = resolveHeldPayment({ moveRegistrarMoney: moveTopUp });
    return this.faults.labelled({ kind: 'resolve', reference, hold: kind, resolution }, () =>
      carryOut(this.faults.database.writes, resolve, { id, resolution }, context),
    );
  }

  /** True where the registrar could pay; as one statement, like everything that costs a registrar money. */
  spend(registrar: RegistrarCode, price: bigint): Promise<boolean> {
    const id = this.#registrars.get(registrar) ?? 0;
    const name = `spent-${++this.#spends}.ee`;
    const at = new Date(this.#now);
    return this.faults.labelled({ kind: 'spend', registrar, price }, async () => {
      try {
        await this.faults.database.writes.begin(async (db) => {
          const noted = part(
            'noted',
            [],
            statement`
              insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor)
              values (${at}, 'domain', 1, ${name}, 'create', ${id}, 'test') returning id`,
          );
          const priced = part(
            'priced',
            ['noted'],
            statement`
              select noted.id as history_id, ${id}::bigint as registrar_id, ${price.toString()}::bigint as amount, ${name}::text as description,
                'test'::text as actor, null::text as request_id, ${at}::timestamptz as at from noted`,
          );
          const charge = WithStatement.from(noted).and(priced).and(chargeFor('create'));
          const rows = await db.rows(charge.end(['charged'], statement`select from charged`));
          if (rows.length === 0) throw new NoFunds();
        });
        return true;
      } catch (error) {
        if (error instanceof NoFunds) return false;
        throw error;
      }
    });
  }

  async callback(reference: string | undefined, eventName: string | undefined): Promise<void> {
    const record = this.provider.payments.get(reference ?? '');
    const version = record?.version ?? 0;
    const callback = { reference, eventName, caller: '192.0.2.1' };
    await recordCallback(this.faults.database.writes, callback, new Date(this.#now));
    if (record) record.calledAbout = version;
  }

  async call(record: ProviderRecord, times: number, event: string): Promise<void> {
    for (let time = 0; time < times; time++) await this.callback(record.reference, event);
  }

  ask(reference: string): Promise<unknown> {
    return pollPayment(this.billing, reference);
  }
  async pollDuePayments(): Promise<void> {
    await pollDuePayments(this.billing);
    await pollUnknownPayments(this.billing, LOOKUPS_PER_SECOND);
  }
  refundDue(): Promise<void> {
    return refundDue(this.billing);
  }
  async reconcile(): Promise<void> {
    await pollOpenPayments(this.faults.database.writes, new Date(this.#now));
    await this.pollDuePayments();
  }
  processDueDates(): Promise<void> {
    return this.faults.labelled({ kind: 'due dates' }, () =>
      processDueDates(this.faults.database, policy, new Date(this.#now), false).then(() => {}),
    );
  }
}

class NoFunds extends Error {}

import { type OrderedTopUp, orderTopUp } from '../../billing/invoices/order-top-up.ts';
import { setInvoiceStatus } from '../../billing/invoices/set-invoice-status.ts';
import type { Billing } from '../../billing/context.ts';
import {
  carryOut,
  type OperatorContext,
  type OperatorOperation,
} from '../../operations/operator-operation.ts';
import { type Parsed, requireNone } from '../../operations/refusal.ts';
import { answerOf } from '../../operations/run-operation.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Principal } from '../../registry/actor.ts';
import type { Context, Operation, Plan } from '../../registry/operation.ts';
import { runRegistryOperation } from '../../registry/run-registry-operation.ts';

/** Where the example is carried out. */
export type ExampleWorld = {
  readonly billing: Billing;
  readonly publicUrl: () => string;
  /** Moves the clock; what becomes due until then is done. */
  readonly moveClockTo: (time: Date) => Promise<void>;
};

export type By = 'api' | 'epp' | 'person';

const BY: Readonly<Record<By, Partial<Principal>>> = {
  api: {},
  epp: { interface: 'epp' },
  person: { interface: 'console' },
};

/** A registrar whose work is done by the operations, as its users and people would do it. */
export class ExampleRegistrar {
  readonly #world: ExampleWorld;
  readonly #principal: Principal;
  readonly #person: string;
  #requests = 0;

  private constructor(world: ExampleWorld, principal: Principal, person: string) {
    this.#world = world;
    this.#principal = principal;
    this.#person = person;
  }

  static async of(world: ExampleWorld, code: string, person: string): Promise<ExampleRegistrar> {
    const row = await world.billing.database.reads.one(sql<{ id: number; name: string }>`
      select id, name from registrars where code = ${code}`);
    const principal = {
      username: code.toLowerCase(),
      registrarId: row.id,
      registrarCode: code,
      registrarName: row.name,
      roles: ['super'],
    } as const;
    return new ExampleRegistrar(world, principal, person);
  }

  get id(): number {
    return this.#principal.registrarId;
  }

  get database(): Database {
    return this.#world.billing.database;
  }

  get now(): Date {
    return this.#world.billing.clock.now();
  }

  context(by: By = 'api'): Context {
    this.#requests += 1;
    const username = by === 'person' ? this.#person : this.#principal.username;
    return {
      principal: { ...this.#principal, ...BY[by], username },
      requestId: `example-${this.#principal.registrarCode.toLowerCase()}-${this.#requests}`,
      now: this.now,
      policy: this.#world.billing.policy,
      publicUrl: this.#world.publicUrl(),
      dryRun: false,
    };
  }

  async run<Input, Loaded, P extends Plan>(
    operation: Operation<Input, Loaded, P>,
    input: Input,
    by?: By,
  ): Promise<P['answer']> {
    return answerOf(
      await runRegistryOperation(this.#world.billing.database, operation, input, this.context(by)),
    );
  }

  async orderTopUp(euros: number): Promise<OrderedTopUp> {
    const { database, policy, provider } = this.#world.billing;
    const order = {
      registrarId: this.id,
      net: BigInt(euros) * 100n,
      actor: `person:${this.#person}`,
      now: this.now,
      dryRun: false,
    };
    return database.writes.begin((db) => orderTopUp(db, { policy, provider }, order));
  }

  async countDomains(): Promise<number> {
    const row = await this.database.reads.one(sql<{ count: number }>`
      select count(*)::int as count from domains where registrar_id = ${this.id}`);
    return row.count;
  }

  async settle({ number }: OrderedTopUp, status: 'paid' | 'cancelled'): Promise<void> {
    if (number === undefined) return;
    await setInvoiceStatus(
      this.#world.billing,
      { initiator: 'registry', now: this.now, dryRun: false },
      { invoiceNumber: number, status },
    );
  }
}

/** What the registry's staff do. */
export const byRegistry = <Input, Answer>(
  { billing: { database, clock, policy } }: ExampleWorld,
  operation: OperatorOperation<Input, Answer>,
  input: Input,
  reason?: OperatorContext['reason'],
): Promise<Answer> =>
  carryOut(database.writes, operation, input, {
    actor: 'sandbox',
    now: clock.now(),
    policy,
    dryRun: false,
    reason,
  });

/** What the example says is right, unless the rules of the country were changed. */
export function requireParsed<T>(parsed: Parsed<T>): T {
  if ('value' in parsed) return parsed.value;
  requireNone(parsed.refusals);
  throw new Error('something was refused without a reason');
}

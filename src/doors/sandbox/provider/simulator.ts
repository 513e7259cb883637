import type { Clock } from '../../../platform/clock/clock.ts';
import { emptyTables } from '../../../platform/migrations/empty-tables.ts';
import type { Pool, Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';
import type { Faults } from '../faults.ts';
import { Callbacks } from './callbacks.ts';

type Dependencies = {
  /** A connection of its own: the simulated provider shares nothing with the registry but the server. */
  readonly sql: Pool;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly user: string;
  readonly secret: string;
  readonly account: string;
  readonly linkToken: string;
  /** The payee shown on the payment page. */
  readonly payee: string;
  readonly currency: string;
  /** The simulator's URL for a payer's browser. */
  readonly url: () => string;
  /** The merchant's callback URL. */
  readonly callbackUrl: () => string;
  readonly report: (error: unknown) => void;
};

/** The payment provider of the sandbox: shared by its API, its payment page and its script calls. */
export type Simulator = Dependencies & {
  readonly callbacks: Callbacks;
  /** Repeats the due callbacks that were not acknowledged. */
  sendDueCallbacks(now: Date): Promise<void>;
  /** When the next callback is repeated; undefined if none is pending. */
  nextCallback(): Promise<Date | undefined>;
  /** Aborts the callbacks in flight. */
  stop(): Promise<void>;
};

export const SIMULATOR_PATH = '/sandbox/provider';

export function openSimulator(parts: Dependencies): Simulator {
  const callbacks = new Callbacks(parts);
  return {
    ...parts,
    callbacks,
    sendDueCallbacks: (now) => callbacks.sendDue(now),
    nextCallback: () => callbacks.next(),
    stop: () => callbacks.stop(),
  };
}

/** The payment page of a one-off payment. */
export const pageOf = ({ url }: Simulator, reference: string): string => `${url()}/pay/${reference}`;

/** Arbitrary, but the same in every process. */
const LOCK = 7_243_882;

/** The simulated provider's own tables, separate from the registry's. */
const TABLES = `
create schema if not exists provider_simulator;
create table if not exists provider_simulator.payments (
  payment_reference text primary key,
  order_reference text not null,
  payment_state text not null,
  initial_amount bigint not null check (initial_amount > 0),
  standing_amount bigint not null check (standing_amount between 0 and initial_amount),
  -- Without one it was made by a signed link.
  customer_url text,
  customer_ip text,
  email text,
  linkpay_customer_data jsonb,
  created_at timestamptz not null,
  transaction_time timestamptz);
create index if not exists payments_order_reference on provider_simulator.payments (order_reference);
create table if not exists provider_simulator.nonces (nonce text primary key);
create table if not exists provider_simulator.callbacks (
  id uuid primary key,
  payment_reference text not null,
  order_reference text not null,
  event_name text not null,
  created_at timestamptz not null,
  attempts integer not null,
  -- None once it was answered or given up.
  next_attempt_at timestamptz,
  last_error text);
create index if not exists callbacks_due on provider_simulator.callbacks (next_attempt_at);`;

/** Creates missing tables. They survive a restart, as those of a real provider would. */
export async function prepareSimulator(owner: Pool): Promise<void> {
  await owner.begin(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOCK})`);
    await db.script(TABLES);
  });
}

export async function resetSimulator(db: Sql): Promise<void> {
  await emptyTables(
    db,
    ['payments', 'nonces', 'callbacks'].map((name) => `provider_simulator.${name}`),
  );
}

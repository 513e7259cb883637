import type { Pool, Sql } from '../../../platform/sql/executor.ts';
import { sql } from '../../../platform/sql/statement.ts';

/** Any number will do, as long as every process takes the same one. */
const LOCK = 7_243_882;

/** The books of the simulated provider, apart from ours: he is somebody else. */
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

/** Lays the tables where they are missing. They outlive a restart, as those of a real provider would. */
export async function prepareSimulator(owner: Pool): Promise<void> {
  await owner.begin(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOCK})`);
    await db.script(TABLES);
  });
}

export async function resetSimulator(db: Sql): Promise<void> {
  await db.run(
    sql`truncate provider_simulator.payments, provider_simulator.nonces, provider_simulator.callbacks`,
  );
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { sql } from '../../test/support/sql.ts';
import { FAILING_PER_REGISTRAR, type Receivers } from './receivers.ts';

export const REGISTRARS = 5;
export const ENDPOINTS_PER_REGISTRAR = 10;
/** Each is delivered to the ten endpoints of its registrar: 100 deliveries a second. */
export const CHANGES_PER_SECOND = 10;
/** 99 of 100 events are received within this time after their commit. */
export const MAX_P99_MS = 2_000;
/** How long nothing may arrive before what is missing counts as lost. */
const LOST_AFTER_MS = 20_000;
const POLL_INTERVAL_MS = 20;

export type WebhookOutcome = {
  /** What the endpoints that answer had to receive. */
  readonly expected: number;
  readonly lost: number;
  readonly repeated: number;
  /** Milliseconds from the commit to the first receipt, in order. */
  readonly waits: readonly number[];
};

/**
 * Changes of five registrars with ten endpoints each, for so many seconds, and what became of their events. Something
 * else must deliver meanwhile.
 */
export async function deliverUnderLoad(
  db: Pool,
  receivers: Receivers,
  seconds: number,
  progress: (done: number, all: number) => void = () => {},
): Promise<WebhookOutcome> {
  await addEndpoints(db, receivers.origin);
  const committed = await writeChanges(db, seconds * CHANGES_PER_SECOND, progress);
  const expected = committed.size * (ENDPOINTS_PER_REGISTRAR - FAILING_PER_REGISTRAR);
  await untilReceived(receivers, expected);
  const receipts = [...receivers.receipts];
  const waits = receipts.map(([key, [first = Number.NaN]]) => {
    const name = key.slice(key.indexOf(' ') + 1);
    // The receiver may be faster than the answer to the commit.
    return Math.max(0, first - (committed.get(name) ?? Number.NaN));
  });
  return {
    expected,
    lost: expected - receipts.length,
    repeated: receipts.reduce((sum, [, times]) => sum + times.length - 1, 0),
    waits: waits.toSorted((one, other) => one - other),
  };
}

/** The wait within which this share of the events came. */
export const waitAt = ({ waits }: WebhookOutcome, share: number): number =>
  waits[Math.max(0, Math.ceil(waits.length * share) - 1)] ?? Number.NaN;

async function addEndpoints(db: Pool, origin: string): Promise<void> {
  await db.run(sql`
    with registrar as (
      insert into registrars (code, name, website, created_at)
      select 'HOOK' || n, 'Hook', 'https://hook.example', now() from generate_series(1, ${REGISTRARS}::int) n
      returning id, code),
    endpoint as (
      insert into webhook_endpoints (public_id, registrar_id, position, url, description, created_at, updated_at)
      select 'whe_' || substr(md5(r.code || '/' || p), 1, 16), r.id, p, ${origin} || '/' || r.code || '/' || p, '', now(), now()
      from registrar r cross join generate_series(1, ${ENDPOINTS_PER_REGISTRAR}::int) p
      returning id)
    insert into webhook_secrets (endpoint_id, generation, salt, created_at)
    select id, 1, sha256(gen_random_uuid()::text::bytea), now() from endpoint`);
}

/** At their rate, whatever the machine does meanwhile; returns when each was committed. */
async function writeChanges(
  db: Pool,
  changes: number,
  progress: (done: number, all: number) => void,
): Promise<ReadonlyMap<string, number>> {
  const committed = new Map<string, number>();
  const started = performance.now();
  for (let change = 0; change < changes; change++) {
    await sleep(Math.max(0, started + (change * 1_000) / CHANGES_PER_SECOND - performance.now()));
    const name = `d${change}.ee`;
    await db.run(sql`
      insert into history (at, object_kind, object_id, object_name, operation, registrar_id, actor)
      select now(), 'domain', ${change}, ${name}, 'renew', id, 'user:hook' from registrars where code = ${`HOOK${(change % REGISTRARS) + 1}`}`);
    committed.set(name, performance.now());
    progress(change + 1, changes);
  }
  return committed;
}

async function untilReceived({ receipts }: Receivers, expected: number): Promise<void> {
  let count = receipts.size;
  let lastArrival = performance.now();
  while (receipts.size < expected && performance.now() - lastArrival < LOST_AFTER_MS) {
    await sleep(POLL_INTERVAL_MS);
    if (receipts.size === count) continue;
    count = receipts.size;
    lastArrival = performance.now();
  }
}

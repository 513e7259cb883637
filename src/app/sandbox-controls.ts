import { setTimeout as sleep } from 'node:timers/promises';
import { listDeliveries } from '../billing/deliveries/delivery-view.ts';
import { readInvoice } from '../billing/invoices/invoice-view.ts';
import type { SandboxSecondaries } from '../doors/dns/sandbox-secondaries.ts';
import type { SandboxPowers } from '../doors/sandbox/controls.ts';
import type { DocumentServices } from '../doors/sandbox/documents/document-routes.ts';
import type { Faults } from '../doors/sandbox/faults.ts';
import type { SimulatedIdentity } from '../doors/sandbox/simulated-identity-provider.ts';
import { resetSimulator, type Simulator } from '../doors/sandbox/provider/simulator.ts';
import type { OwnHosts } from '../doors/sandbox/request-guard.ts';
import type { Services } from '../doors/sandbox/services.ts';
import { CaughtWebhooks } from '../doors/sandbox/caught-webhooks.ts';
import { Refused } from '../operations/refusal.ts';
import { runTransaction } from '../operations/in-transaction.ts';
import { type MovableClock, moveClock } from '../platform/clock/movable-clock.ts';
import { KeyedTurns } from '../platform/concurrency/keyed-turns.ts';
import type { Logger } from '../platform/logging.ts';
import { findSent, listSent, listUnsent } from '../platform/mail/mail-view.ts';
import type { Database } from '../platform/database/database.ts';
import { emptyTables } from '../platform/migrations/empty-tables.ts';
import type { Pool, Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import type { Policy } from '../policy/policy.ts';
import { creditAccount } from '../registry/registrars/registrar-money.ts';
import {
  ExampleImpossible,
  type ExampleDependencies,
  loadExampleData,
} from './example-data/load-example-data.ts';
import { recordSandboxCertificates, type SandboxEppIdentity } from './sandbox-epp-identity.ts';
import { seedDatabaseWithin, seedLogins } from './seed.ts';
import type { Worker } from './worker.ts';

type Dependencies = {
  readonly owner: Pool;
  readonly database: Database;
  readonly clock: MovableClock;
  readonly worker: Worker;
  readonly faults: Faults;
  readonly services: Services;
  readonly takers: DocumentServices;
  readonly provider: Simulator;
  readonly ownHosts: OwnHosts;
  readonly identity: SimulatedIdentity;
  readonly policy: Policy;
  readonly log: Logger;
  readonly eppIdentity: SandboxEppIdentity | undefined;
  readonly example: Omit<ExampleDependencies, 'moveClockTo'>;
  /** Undefined where DNS is closed. */
  readonly secondaries: SandboxSecondaries | undefined;
};

const MAX_QUEUED_RESETS = 20;

export function sandboxControls(parts: Dependencies): SandboxPowers {
  const { owner, database, clock, worker, faults, services, takers, provider, ownHosts, policy, log } = parts;
  const { eppIdentity, identity, secondaries } = parts;
  const turns = new KeyedTurns(MAX_QUEUED_RESETS);
  const caughtWebhooks = new CaughtWebhooks();
  const reset = async () => {
    clock.reset();
    faults.clear();
    services.received.clear();
    takers.accounting.clear();
    takers.einvoice.clear();
    caughtWebhooks.clear();
    const logins = await seedLogins();
    // Truncating tables can conflict with requests in progress, so the transaction is retried.
    await runTransaction(owner, clock.now(), async (db) => {
      await emptyEveryTable(db);
      await resetSimulator(db);
      await db.run(
        sql`update installation set clock_offset = interval '0', maintenance_since = null, maintenance_reason = null`,
      );
      await seedDatabaseWithin(db, policy, clock.now(), logins);
    });
    if (eppIdentity) await recordSandboxCertificates(owner, eppIdentity, policy, clock.now());
    await worker.schedule(clock.now());
    secondaries?.clear();
  };
  const moveClockTo = (time: Date) => worker.simulateUntil(time, (moment) => moveClock(owner, clock, moment));
  return {
    clock,
    policy,
    faults,
    services,
    takers,
    caughtWebhooks,
    provider,
    ownHosts,
    identity,
    moveClockTo,
    async reset() {
      await (turns.take('data', reset) ?? Promise.reject(new Error('too many resets wait already')));
    },
    loadExampleData: () => loadExample(turns, { ...parts.example, moveClockTo }),
    async mails(most) {
      // Mails are sent at once instead of at the worker's next poll.
      await worker.sendNow('mails', clock.now());
      const [sent, unsent] = await Promise.all([
        listSent(database.lists, most),
        listUnsent(database.lists, most),
      ]);
      return { sent, unsent };
    },
    async deliveries(most) {
      await worker.sendNow('messages', clock.now());
      return listDeliveries(database.lists, most);
    },
    sendWebhooks: () => worker.sendNow('webhooks', clock.now()),
    async invoice(number) {
      await untilNobodyAsks(database.reads, clock);
      return readInvoice(database.lists, number);
    },
    sentMail: (id) => findSent(database.reads, id),
    notifySecondary: secondaries && ((address, port) => secondaries.add(address, port)),
    report: (error) => log.error({ err: error }, 'a control failed'),
    topUp(registrar, amount) {
      const entry = {
        from: 'payments',
        operation: 'top-up',
        description: 'Sandbox top-up',
        actor: 'sandbox',
      } as const;
      return creditAccount(database.writes, { registrar, amount, at: clock.now(), ...entry });
    },
  };
}

/** After a reset under way, and before the next. */
async function loadExample(
  turns: KeyedTurns,
  parts: ExampleDependencies,
): ReturnType<SandboxPowers['loadExampleData']> {
  try {
    return await (turns.take('data', () => loadExampleData(parts)) ?? 'Too many requests wait already.');
  } catch (error) {
    if (error instanceof ExampleImpossible) return error.message;
    if (error instanceof Refused)
      return `The example could not be completed: ${error.message}. Reset the sandbox first.`;
    throw error;
  }
}

/** How long a control waits for the provider's answer before it returns the stored state. */
const CALL_TIMEOUT_MS = 1_000;
const CHECK_INTERVAL_MS = 10;

async function untilNobodyAsks(db: Sql, clock: MovableClock): Promise<void> {
  for (let waited = 0; waited < CALL_TIMEOUT_MS; waited += CHECK_INTERVAL_MS) {
    const pending = await db.rows(sql`
      select from payments where (poll_at is not null or poll_lease_until is not null) and (poll_at <= ${clock.now()} or poll_lease_until > ${clock.now()}) limit 1`);
    if (pending.length === 0) return;
    await sleep(CHECK_INTERVAL_MS);
  }
}

/** What is published leaves by ordinary changes, so that secondaries follow. */
const KEPT_TABLES = [
  'installation',
  'schema_migrations',
  'zones',
  'zone_records',
  'zone_serials',
  'zone_changes',
  'zone_marks',
  'zone_delegation_signers',
];

async function emptyEveryTable(db: Sql): Promise<void> {
  const tables = await db.rows(sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables
    where schemaname = 'public' and tablename <> all(${KEPT_TABLES}::text[])`);
  await emptyTables(
    db,
    tables.map(({ name }) => name),
  );
  await db.run(
    sql`insert into zone_marks (zone, name) select zone, domain from zone_records where domain is not null`,
  );
  await db.run(sql`delete from zone_delegation_signers`);
  await db.run(
    sql`update zones set frozen_since = null, frozen_reason = null where frozen_since is not null`,
  );
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../src/platform/sql/executor.ts';
import { selfSigned } from '../../test/support/certificates.ts';
import { connectAsOwner } from '../../test/support/connect-as-owner.ts';
import { sql } from '../../test/support/sql.ts';
import { type Production, startProduction } from '../hostile/production.ts';
import { familyProcessorTime, processorTime } from '../machine.ts';
import { OtherPrograms } from '../other-programs.ts';
import type { Bar } from '../progress.ts';
import type { Figure } from '../work.ts';
import { Receivers } from './receivers.ts';
import { deliverUnderLoad, MAX_P99_MS, type WebhookOutcome, waitAt } from './webhook-load.ts';

const WORK = 'events to endpoints that answer';
/** A worker with one processor then delivers 100 events a second in half of its time. */
const MAX_SENDER_MS = 5;
/** Of the database, for an event and its delivery. */
const MAX_DATABASE_MS = 5;
const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 50;

export type WebhookMeasurement = {
  readonly figures: readonly Figure[];
  /** How many processors other programs kept busy meanwhile. */
  readonly elsewhere: number;
};

/** `cadastre work` of a production installation delivers over TLS to receivers on this machine. */
export async function measureWebhooks(seconds: number, bar: Bar): Promise<WebhookMeasurement> {
  const production = await startProduction(bar, { hasQuickPasswords: true });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cadastre-webhooks-'));
  try {
    const identity = await selfSigned('localhost');
    const authorityFile = path.join(folder, 'authority.pem');
    writeFileSync(authorityFile, identity.cert);
    const receivers = await Receivers.start(identity);
    try {
      return await measureDelivery(production, receivers, { authorityFile, seconds, bar });
    } finally {
      receivers.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
    await production.stop();
  }
}

async function measureDelivery(
  production: Production,
  receivers: Receivers,
  {
    authorityFile,
    seconds,
    bar,
  }: { readonly authorityFile: string; readonly seconds: number; readonly bar: Bar },
): Promise<WebhookMeasurement> {
  const worker = production.work({
    WEBHOOK_SECRET: 'webhook-benchmark-secret',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: authorityFile,
  });
  const db = await connectAsOwner(production.address);
  try {
    await untilWorking(db);
    const times = () => [processorTime(worker.pid), familyProcessorTime(production.databasePid ?? 0)];
    const others = new OtherPrograms([worker.pid], production.databasePid);
    const [senderBefore = Number.NaN, databaseBefore = Number.NaN] = times();
    const outcome = await deliverUnderLoad(db, receivers, seconds, (done, all) =>
      bar.show('changes', done, all),
    );
    const [sender = Number.NaN, database = Number.NaN] = times();
    const spent = { sender: sender - senderBefore, database: database - databaseBefore };
    return { figures: figuresOf(outcome, spent), elsewhere: others.end() };
  } finally {
    await db.close();
    await worker.stop();
  }
}

/** A worker registers its jobs once it is ready to run them. */
async function untilWorking(db: Pool): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  const registered = () => db.rows(sql`select from jobs where name = 'deliver webhooks'`);
  while ((await registered()).length === 0) {
    if (performance.now() > deadline) throw new Error('cadastre work does not deliver webhooks');
    await sleep(POLL_INTERVAL_MS);
  }
}

function figuresOf(
  outcome: WebhookOutcome,
  spent: { readonly sender: number; readonly database: number },
): readonly Figure[] {
  const { expected, lost, repeated } = outcome;
  const each = (seconds: number) => (seconds * 1_000) / (expected - lost);
  return [
    ...[0.5, 0.95, 0.99].map((share) => ({
      work: WORK,
      what: `ms from commit to receipt, p${share * 100}`,
      value: waitAt(outcome, share),
      most: MAX_P99_MS,
    })),
    { work: WORK, what: 'lost', value: lost, most: 0 },
    { work: WORK, what: 'received twice', value: repeated, most: 0 },
    {
      work: 'processor time per event received',
      what: 'ms of cadastre work',
      value: each(spent.sender),
      most: MAX_SENDER_MS,
    },
    {
      work: 'processor time per event received',
      what: 'ms of the database',
      value: each(spent.database),
      most: MAX_DATABASE_MS,
    },
  ];
}

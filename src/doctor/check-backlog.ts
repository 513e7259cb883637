import { countRejected } from '../billing/exports/export-view.ts';
import { countLateBulkJobs } from '../registry/bulk-jobs/count-late-bulk-jobs.ts';
import { readMaintenance } from '../platform/read-maintenance.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import { type DatabaseCheck, type Finding, ok, problem, warning } from './check.ts';

/** Outbox rows are normally delivered within seconds; after this age an operator should be alerted. */
const MAX_OUTBOX_AGE_MS = 15 * 60_000;
const MAX_REFUND_AGE_MS = 24 * 3_600_000;

/** Work that waits for a worker, another service, or an operator. */
export const backlogCheck: DatabaseCheck = {
  name: 'backlog',
  async examine({ sql: db, now }) {
    const { mails, deliveries, refunds, held, bank } = await readBacklog(db, now);
    const maintenance = await readMaintenance(db);
    const bulk = await countLateBulkJobs(db, new Date(now.getTime() - MAX_OUTBOX_AGE_MS));
    const found: Finding[] = [
      ...outbox('Mails', mails, 'cadastre mail list', 'cadastre mail retry'),
      ...outbox('Messages to services', deliveries, 'cadastre delivery list', 'cadastre delivery retry'),
      ...ifAny(bulk.waiting, (count) =>
        problem(
          `Bulk jobs of registrars that nobody has carried on for more than 15 minutes: ${count}.`,
          'Start cadastre work, or see the job with: cadastre job show "run bulk jobs"',
        ),
      ),
      ...ifAny(bulk.failing, (count) =>
        warning(
          `Bulk jobs of registrars whose batches fail: ${count}.`,
          'See why in the log, under "a batch of a bulk job failed".',
        ),
      ),
      ...ifAny(refunds, (count) =>
        problem(
          `Refunds that were ordered more than a day ago and have not taken place: ${count}.`,
          'See whether the provider answers, and the job with: cadastre job show "refund payments"',
        ),
      ),
      ...ifAny(held, (count) =>
        warning(
          `Payments that wait for a person to judge them: ${count}.`,
          'See them with: cadastre billing held',
        ),
      ),
      ...ifAny(bank, (count) =>
        warning(
          `Payments of the bank that wait for a person: ${count}.`,
          'See them with: cadastre bank unmatched',
        ),
      ),
      ...ifAny(await countRejected(db), (count) =>
        warning(
          `Invoices that the accounting service or the operator of e-invoices did not take: ${count}.`,
          'See why with: cadastre billing exports; once it is repaired, send them with: cadastre billing export',
        ),
      ),
      ...(maintenance
        ? [warning(`Maintenance is on since ${maintenance.since.toISOString()}.`, 'cadastre maintenance off')]
        : []),
    ];
    return found.length > 0 ? found : [ok('nothing waits for anybody')];
  },
};

type Outbox = { readonly untried: number; readonly failing: number; readonly givenUp: number };
type Backlog = {
  readonly mails: Outbox;
  readonly deliveries: Outbox;
  readonly refunds: number;
  readonly held: number;
  readonly bank: number;
};

async function readBacklog(db: Sql, now: Date): Promise<Backlog> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  return db.one(sql<Backlog>`
    select
      (select json_build_object('untried', count(*) filter (where attempts = 0), 'failing', count(*) filter (where attempts > 0),
          'givenUp', (select count(*) from mails where gave_up_at is not null))
        from mails where sent_at is null and gave_up_at is null and created_at < ${before(MAX_OUTBOX_AGE_MS)}) as mails,
      (select json_build_object('untried', count(*) filter (where attempts = 0), 'failing', count(*) filter (where attempts > 0),
          'givenUp', (select count(*) from deliveries where gave_up_at is not null))
        from deliveries where delivered_at is null and gave_up_at is null and created_at < ${before(MAX_OUTBOX_AGE_MS)}) as deliveries,
      (select count(*) from refunds where state = 'waiting' and created_at < ${before(MAX_REFUND_AGE_MS)}) as refunds,
      (select count(*) from held_payments where closed_at is null) as held,
      (select count(*) from bank_entries where status = 'unmatched') as bank`);
}

const outbox = (
  what: string,
  { untried, failing, givenUp }: Outbox,
  list: string,
  retry: string,
): Finding[] => [
  ...ifAny(untried, (count) =>
    problem(
      `${what} that nobody has tried to send for more than 15 minutes: ${count}.`,
      'Start cadastre work with the settings that they need.',
    ),
  ),
  ...ifAny(failing, (count) =>
    warning(`${what} that have failed for more than 15 minutes: ${count}.`, `See why with: ${list}`),
  ),
  ...ifAny(givenUp, (count) =>
    warning(
      `${what} that were given up: ${count}.`,
      `See why with: ${list}; once it is repaired, send them with: ${retry}`,
    ),
  ),
];

const ifAny = (count: number, describe: (count: number) => Finding): Finding[] =>
  count > 0 ? [describe(count)] : [];

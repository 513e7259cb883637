import { type FolderDependencies, importFolder } from '../billing/bank/import-folder.ts';
import { deliverTo, reachable, type Senders } from '../billing/deliveries/deliver.ts';
import { deliveriesTo } from '../billing/deliveries/document-deliveries.ts';
import {
  exportPaidTopUps,
  nextPaidTopUp,
  type TimeOfDay,
} from '../billing/exports/accounting/export-paid-top-ups.ts';
import { DUE_DATE_JOB, nextDueDate, processDueDates } from '../billing/invoices/process-due-dates.ts';
import { issueAutomaticTopUps } from '../billing/invoices/issue-automatic-top-ups.ts';
import { pollOpenPayments, pollQueue, unknownQueue } from '../billing/payments/poll-leases.ts';
import { pollDuePayments, pollUnknownPayments } from '../billing/payments/poll-provider.ts';
import { refundDue, refundQueue } from '../billing/payments/refunds.ts';
import { mailStatements } from '../billing/statements/mail-statements.ts';
import { makeStatements, nextStatements } from '../billing/statements/make-statements.ts';
import type { Clock } from '../platform/clock/clock.ts';
import { repairDueTimes } from '../platform/jobs/repair-due-times.ts';
import { reportStops } from '../platform/jobs/job-limits.ts';
import type { Job } from '../platform/jobs/run-jobs.ts';
import type { DueJob } from '../platform/jobs/simulate-until.ts';
import type { Logger } from '../platform/logging.ts';
import type { Metrics } from '../platform/metrics.ts';
import { deliverMails, mailOutbox } from '../platform/mail/deliver-mails.ts';
import type { Mailer } from '../platform/mail/enqueue-mails.ts';
import { hasDue, nextDue as nextIn, type Queue } from '../platform/outbox/queue.ts';
import { isNotInSchema } from '../platform/database/database-errors.ts';
import type { Database } from '../platform/database/database.ts';
import type { Sql } from '../platform/sql/executor.ts';
import type { Policy } from '../policy/policy.ts';
import { hasBulkJobs, nextBulkJob, runBulkJobs } from '../registry/bulk-jobs/run-bulk-jobs.ts';
import { nextReminder, remindOfCertificates } from '../registry/certificates/remind-of-certificates.ts';
import { type FindKey, signDueLists } from '../registry/certificates/revocation-lists.ts';
import { markEvents } from '../registry/events/event-marks.ts';
import { nextExpiryNotice, tellExpiries } from '../registry/events/tell-expiries.ts';
import { countDays } from '../registry/figures/count-days.ts';
import { ARCHIVE_JOB, archiveContacts, nextIdle } from '../registry/lifecycle/archive-contacts.ts';
import { LIFECYCLE_JOB, nextDue, runLifecycle, stepContextOf } from '../registry/lifecycle/run-lifecycle.ts';
import { sumUpCounts } from '../registry/stored-counts.ts';
import { isWebhookDue, nextWebhook } from '../registry/webhooks/webhook-deliveries.ts';
import type { WebhookSender } from '../registry/webhooks/webhook-sender.ts';
import { zonePublisher } from '../registry/zones/write-zone.ts';
import { zoneWork } from '../registry/zones/zone-work.ts';
import type { ReservationDependencies } from '../reservations/dependencies.ts';
import { cancelUnfulfillableInvoices, nextExpiry } from '../reservations/expire-reservations.ts';
import { dueTimesOf } from './list-due-times.ts';
import {
  endingLimits,
  type LastingEffect,
  readSteadyTime,
  requireSteadyTime,
  runPurgeJob,
} from './job-effects.ts';
import { type PurgeJob, purgeJobs, reservationJob } from './purges.ts';

/** A job, what it does for good because time has passed, and its next due time where that is known. */
export type JobDefinition = Job & Partial<Pick<DueJob, 'next'>> & { readonly lastingEffect: LastingEffect };
/** Jobs of one lane run one after the other; lanes run independently. */
type Lane = readonly JobDefinition[];

type Simulation = Required<Pick<JobDefinition, 'run' | 'next' | 'hasWork'>>;

export type JobDependencies = {
  readonly database: Database;
  readonly log: Logger;
  readonly policy: Policy;
  /** Of a process that serves them. */
  readonly metrics?: Metrics | undefined;
  /** The time of the machine, which a sandbox does not move: serials and sessions follow it. In production it is checked. */
  readonly machineClock: Clock;
  /** Whether jobs stop at the policy's daily limits. The sandbox's clock is moved by years on purpose. */
  readonly isLimited: boolean;
  /** Without one, mails stay queued. */
  readonly mailer: Mailer | undefined;
  readonly senders: Senders;
  /** Without one, events for registrars stay queued. */
  readonly webhooks: WebhookSender | undefined;
  readonly billing: ReservationDependencies;
  readonly paymentLookupsPerSecond: number;
  readonly authorityKeys: FindKey;
  /** Background work of the services that the sandbox simulates. */
  readonly simulated?: Simulation;
  /** Without it no folder is checked for bank statements. */
  readonly statements?: Omit<FolderDependencies, 'log'> | undefined;
  /** When paid top-ups are exported to the accounting service; never automatically when undefined. */
  readonly accountingExportAt: TimeOfDay | undefined;
  /** A copy for staging calls no payment provider. */
  readonly isStaging?: boolean;
  /** Retention of mails that were sent or given up; unlimited when undefined. */
  readonly mailRetentionDays: number | undefined;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Below the worker's polling interval, so that the job is due at every poll. */
const EVERY_CHECK_MS = 100;

/** All time-driven work, each job after those that cause its work. A slow service delays only its own lane. */
export function lanesOf(parts: JobDependencies): Lane[] {
  const { mailer, senders, webhooks, statements, isStaging, isLimited, database } = parts;
  const lanes: Lane[] = [
    [
      ...registryJobs(parts),
      ...certificateJobs(parts),
      ...billingJobs(parts),
      ...exportJobs(parts),
      ...retentionJobs(parts),
    ],
    ...(isStaging ? [] : [paymentJobs(parts), [unknownPaymentJob(parts)]]),
    ...reachable(senders).map((target) => [deliveryJob(parts, target)]),
    ...(mailer ? [[mailJob(parts, mailer)]] : []),
    ...(webhooks ? [[webhookJob(parts, webhooks)]] : []),
    // In a lane of its own: thousands of domains take seconds.
    [bulkJob(parts)],
    // In a lane of its own: nothing else may delay publication.
    [zoneJob(parts)],
    // In a lane of its own: a large statement takes long and is not urgent.
    ...(statements ? [[statementJob(parts, statements)]] : []),
  ];
  return isLimited ? lanes.map((lane) => lane.map((job) => waitingForTime(job, database.writes))) : lanes;
}

/** A purge needs not wait: its time is that of a day ago. */
function waitingForTime(job: JobDefinition, db: Sql): JobDefinition {
  const { lastingEffect } = job;
  const waits =
    lastingEffect === 'records of a period' || (lastingEffect !== 'none' && 'ends' in lastingEffect);
  if (!waits) return job;
  return {
    ...job,
    run: async (now) => {
      await requireSteadyTime(db, now);
      await job.run(now);
    },
  };
}

const registryJobs = ({ database, policy, log, isLimited }: JobDependencies): JobDefinition[] => [
  {
    name: LIFECYCLE_JOB,
    lastingEffect: { ends: endingLimits(policy)[LIFECYCLE_JOB] },
    intervalMs: MINUTE_MS,
    run: async (now) => reportStops(log, await runLifecycle(database, now, policy, isLimited)),
    next: () => nextDue(database, policy),
  },
  {
    name: ARCHIVE_JOB,
    lastingEffect: { ends: endingLimits(policy)[ARCHIVE_JOB] },
    intervalMs: DAY_MS,
    run: async (now) =>
      reportStops(log, await archiveContacts(database, stepContextOf(now, policy), isLimited)),
    next: (end) => nextIdle(database, policy, end),
  },
  {
    name: 'repair due times',
    lastingEffect: 'none',
    intervalMs: MINUTE_MS,
    run: async (now) => {
      const rows = await repairDueTimes(database.writes, dueTimesOf(policy), now);
      if (rows > 0)
        log.warn({ rows }, 'due times lay too far ahead and were brought back: was a clock wrong?');
    },
  },
  {
    name: 'sum up object counts',
    lastingEffect: 'none',
    intervalMs: MINUTE_MS,
    run: () => sumUpCounts(database.writes),
  },
  {
    name: 'mark events',
    lastingEffect: 'none',
    intervalMs: MINUTE_MS,
    run: (now) => markEvents(database.writes, now),
  },
  {
    name: 'tell of expiries',
    lastingEffect: 'records of a period',
    intervalMs: 10 * MINUTE_MS,
    run: (now) => tellExpiries(database, now, policy),
    next: () => nextExpiryNotice(database, policy),
  },
  {
    name: 'count daily figures',
    lastingEffect: 'records of a period',
    intervalMs: HOUR_MS,
    run: (now) => countDays(database.writes, policy, now),
  },
];

const certificateJobs = ({ database, policy, authorityKeys }: JobDependencies): JobDefinition[] => [
  {
    name: 'remind of certificates',
    lastingEffect: 'records of a period',
    intervalMs: HOUR_MS,
    run: (now) => remindOfCertificates(database, now, policy),
    next: () => nextReminder(database, policy),
  },
  {
    name: 'sign revocation lists',
    lastingEffect: 'none',
    intervalMs: 10 * MINUTE_MS,
    run: (now) => signDueLists(database.writes, authorityKeys, now, policy),
  },
];

const billingJobs = (parts: JobDependencies): JobDefinition[] => {
  const { database, policy, billing, log, isLimited } = parts;
  return [
    {
      name: DUE_DATE_JOB,
      intervalMs: HOUR_MS,
      lastingEffect: { ends: endingLimits(policy)[DUE_DATE_JOB] },
      run: async (now) => reportStops(log, await processDueDates(database, policy, now, isLimited)),
      next: () => nextDueDate(database, policy),
    },
    { ...purgeDefinition(parts, reservationJob), next: () => nextExpiry(database.reads) },
    {
      name: 'cancel unfulfillable invoices',
      lastingEffect: 'none',
      intervalMs: 10 * MINUTE_MS,
      run: () => cancelUnfulfillableInvoices(billing),
    },
    {
      name: 'issue top-ups',
      lastingEffect: 'none',
      intervalMs: MINUTE_MS,
      run: (now) => issueAutomaticTopUps(billing, now),
    },
    {
      name: 'make monthly statements',
      lastingEffect: 'records of a period',
      intervalMs: HOUR_MS,
      run: async (now) => {
        await makeStatements(database, policy, now);
        await mailStatements(database, policy, now);
      },
      next: () => nextStatements(database, policy),
    },
    {
      name: 'reconcile payments',
      lastingEffect: 'none',
      intervalMs: 10 * MINUTE_MS,
      run: async (now) => {
        await pollOpenPayments(database.writes, now);
      },
    },
  ];
};

const exportJobs = ({ database, policy, accountingExportAt: at }: JobDependencies): JobDefinition[] =>
  at === undefined
    ? []
    : [
        {
          name: 'export top-ups',
          lastingEffect: 'none',
          intervalMs: MINUTE_MS,
          run: (now) => exportPaidTopUps(database, policy, at, now),
          next: () => nextPaidTopUp(database, policy, at),
        },
      ];

const retentionJobs = (parts: JobDependencies): JobDefinition[] =>
  purgeJobs(parts.policy, parts.mailRetentionDays)
    .filter((job) => job !== reservationJob)
    .map((job) => purgeDefinition(parts, job));

const purgeDefinition = (parts: JobDependencies, job: PurgeJob): JobDefinition => ({
  name: job.name,
  intervalMs: job.intervalMs,
  lastingEffect: { purges: job.purges },
  run: (now) =>
    runPurgeJob(parts, job, now).catch((error: unknown) => {
      if (!job.isNew || !isNotInSchema(error)) throw error;
    }),
});

const simulationJob = (simulated: Simulation): JobDefinition => ({
  name: 'simulate',
  lastingEffect: 'none',
  intervalMs: EVERY_CHECK_MS,
  ...simulated,
});

/** Whether a job has work, and when next, by the queue that it serves. */
const waiting = (db: Sql, queue: Queue) => ({
  hasWork: (now: Date) => hasDue(queue, now),
  next: () => nextIn(db, queue),
});

/** Polls the payment provider first, then sends it refunds. */
const paymentJobs = ({ database, billing, simulated }: JobDependencies): JobDefinition[] => [
  ...(simulated ? [simulationJob(simulated)] : []),
  {
    name: 'poll payments',
    lastingEffect: 'none',
    intervalMs: EVERY_CHECK_MS,
    run: () => pollDuePayments(billing),
    ...waiting(database.reads, pollQueue),
  },
  {
    name: 'refund payments',
    lastingEffect: 'none',
    intervalMs: EVERY_CHECK_MS,
    run: () => refundDue(billing),
    ...waiting(database.reads, refundQueue),
  },
];

/** In a lane of its own, so that known payments never wait for it. */
const unknownPaymentJob = ({
  database,
  billing,
  paymentLookupsPerSecond,
}: JobDependencies): JobDefinition => ({
  name: 'poll unknown payments',
  lastingEffect: 'none',
  intervalMs: EVERY_CHECK_MS,
  run: () => pollUnknownPayments(billing, paymentLookupsPerSecond),
  ...waiting(database.reads, unknownQueue),
});

const deliveryJob = (
  { database, senders, log }: JobDependencies,
  target: ReturnType<typeof reachable>[number],
): JobDefinition => ({
  name: `deliver to ${target}`,
  lastingEffect: 'none',
  intervalMs: EVERY_CHECK_MS,
  run: (now) => deliverTo({ sql: database.writes, senders, log }, target, now),
  ...waiting(database.lists, deliveriesTo(target)),
});

const mailJob = ({ database, log }: JobDependencies, mailer: Mailer): JobDefinition => ({
  name: 'deliver mails',
  lastingEffect: 'none',
  intervalMs: EVERY_CHECK_MS,
  run: (now) => deliverMails({ sql: database.writes, mailer, log }, now),
  ...waiting(database.reads, mailOutbox),
});

const webhookJob = ({ database }: JobDependencies, sender: WebhookSender): JobDefinition => ({
  name: 'deliver webhooks',
  lastingEffect: 'none',
  intervalMs: EVERY_CHECK_MS,
  run: (now) => sender.run(now),
  hasWork: isWebhookDue,
  next: () => nextWebhook(database.reads),
});

const bulkJob = ({ database, policy, log, metrics }: JobDependencies): JobDefinition => ({
  name: 'run bulk jobs',
  lastingEffect: 'none',
  intervalMs: EVERY_CHECK_MS,
  run: (now) => runBulkJobs({ database, policy, log, metrics }, now),
  hasWork: hasBulkJobs(database.reads),
  next: () => nextBulkJob(database.reads),
});

const zoneJob = ({ database, policy, machineClock, isLimited }: JobDependencies): JobDefinition => ({
  name: 'publish zones',
  lastingEffect: 'none',
  intervalMs: EVERY_CHECK_MS,
  run: zonePublisher(database.writes, policy, () =>
    isLimited ? readSteadyTime(database.writes, machineClock.now()) : machineClock.now(),
  ),
  hasWork: () => zoneWork(policy),
});

const statementJob = (
  { log }: JobDependencies,
  statements: Omit<FolderDependencies, 'log'>,
): JobDefinition => ({
  name: 'import bank statements',
  lastingEffect: 'none',
  intervalMs: MINUTE_MS,
  run: (now) => importFolder({ ...statements, log }, now),
});

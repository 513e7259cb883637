import { type FolderDependencies, importFolder } from '../billing/bank/import-folder.ts';
import { deliverTo, reachable, type Senders } from '../billing/deliveries/deliver.ts';
import { isDeliveryDue, nextDue as nextDelivery } from '../billing/deliveries/delivery-store.ts';
import {
  exportPaidTopUps,
  nextPaidTopUp,
  type TimeOfDay,
} from '../billing/exports/accounting/export-paid-top-ups.ts';
import { nextDueDate, processDueDates } from '../billing/invoices/process-due-dates.ts';
import { issueAutomaticTopUps } from '../billing/invoices/top-up.ts';
import { isPollDue, nextPoll, pollOpenPayments } from '../billing/payments/poll-leases.ts';
import { pollDuePayments, pollUnknownPayments } from '../billing/payments/poll-provider.ts';
import { deleteStrayEvents } from '../billing/payments/record-callback.ts';
import { isRefundDue, nextRefund, refundDue } from '../billing/payments/refunds.ts';
import { deleteOldCallers, isUnknownDue, nextUnknown } from '../billing/payments/unknown-payments.ts';
import { mailStatements } from '../billing/statements/mail-statements.ts';
import { makeStatements, nextStatements } from '../billing/statements/make-statements.ts';
import { deleteOldKeys } from '../operations/idempotency.ts';
import { wallClock } from '../platform/clock/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { repairDueTimes } from '../platform/jobs/due-times.ts';
import { reportStops } from '../platform/jobs/job-limits.ts';
import type { Job } from '../platform/jobs/jobs.ts';
import type { DueJob } from '../platform/jobs/simulate-until.ts';
import type { Logger } from '../platform/logging.ts';
import { deliverMails, isMailDue, nextDue as nextMail } from '../platform/mail/deliver-mails.ts';
import type { Mailer } from '../platform/mail/mail.ts';
import { deleteOldMails } from '../platform/mail/mail-view.ts';
import type { Database } from '../platform/sql/database.ts';
import { sql } from '../platform/sql/statement.ts';
import type { Policy } from '../policy/policy.ts';
import { deleteOldLoginAddresses } from '../registry/access/login-addresses.ts';
import { deleteOldWrongCodes } from '../registry/access/wrong-codes.ts';
import { deleteOldCalls } from '../registry/activity/delete-old-calls.ts';
import { deleteOldRequests } from '../registry/certificates/delete-old-requests.ts';
import { nextReminder, remindOfCertificates } from '../registry/certificates/remind-of-certificates.ts';
import { type FindKey, signDueLists } from '../registry/certificates/revocation-lists.ts';
import { countDays } from '../registry/figures/count-days.ts';
import { deleteOldLegalDocuments } from '../registry/legal-documents.ts';
import { ARCHIVE_JOB, archiveContacts, nextIdle } from '../registry/lifecycle/archive-contacts.ts';
import { LIFECYCLE_JOB, nextDue, runLifecycle, stepContextOf } from '../registry/lifecycle/lifecycle.ts';
import {
  deleteOldLookupRequests,
  deleteOldRegistrantMessages,
} from '../registry/lookup/delete-old-lookups.ts';
import { sumUpCounts } from '../registry/object-counts.ts';
import { deleteOldLogins } from '../registry/people/delete-old-logins.ts';
import { deleteOldEvents, isWebhookDue, nextWebhook } from '../registry/webhooks/delivery-store.ts';
import type { WebhookSender } from '../registry/webhooks/webhook-sender.ts';
import { hasWebhookTables, webhookTables } from '../registry/webhooks/webhook-settings.ts';
import { zonePublisher } from '../registry/zones/write-zone.ts';
import { deleteOldSerials, zoneWork } from '../registry/zones/zone-work.ts';
import type { ReservationDependencies } from '../reservations/dependencies.ts';
import {
  cancelUnfulfillableInvoices,
  expireReservations,
  nextExpiry,
} from '../reservations/expire-reservations.ts';

import { dueTimesOf } from './due-times.ts';

/** A job, and its next due time where that is known. */
export type JobDefinition = Job & Partial<Pick<DueJob, 'next'>>;
/** Jobs of one lane run one after the other; lanes run independently. */
type Lane = readonly JobDefinition[];

export type JobDependencies = {
  readonly database: Database;
  readonly log: Logger;
  readonly policy: Policy;
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
  readonly simulated?: Required<Pick<JobDefinition, 'run' | 'next' | 'hasWork'>>;
  /** Without it no folder is checked for bank statements. */
  readonly statements?: Omit<FolderDependencies, 'log'> | undefined;
  /** When paid top-ups are exported to the accounting service; never automatically when undefined. */
  readonly accountingExportAt: TimeOfDay | undefined;
  /** A copy for staging calls no payment provider. */
  readonly isStaging?: boolean;
  /** Retention of mails that were sent or given up; unlimited when undefined. */
  readonly mailRetentionDays: number | undefined;
};

/** Retention in production: mails contain personal data. */
export const MAIL_RETENTION_DAYS = 30;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Below the worker's polling interval, so that the job is due at every poll. */
const EVERY_CHECK_MS = 100;

/** All time-driven work, each job after those that cause its work. A slow service delays only its own lane. */
export function lanesOf(parts: JobDependencies): Lane[] {
  const { mailer, senders, webhooks, statements, isStaging } = parts;
  return [
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
    // In a lane of its own: nothing else may delay publication.
    [zoneJob(parts)],
    // In a lane of its own: a large statement takes long and is not urgent.
    ...(statements ? [[statementJob(parts, statements)]] : []),
  ];
}

const registryJobs = ({ database, policy, log, isLimited }: JobDependencies): JobDefinition[] => [
  {
    name: LIFECYCLE_JOB,
    intervalMs: MINUTE_MS,
    run: async (now) => reportStops(log, await runLifecycle(database, now, policy, isLimited)),
    next: () => nextDue(database, policy),
  },
  {
    name: ARCHIVE_JOB,
    intervalMs: DAY_MS,
    run: async (now) =>
      reportStops(log, await archiveContacts(database, stepContextOf(now, policy), isLimited)),
    next: (end) => nextIdle(database, policy, end),
  },
  {
    name: 'repair due times',
    intervalMs: MINUTE_MS,
    run: async (now) => {
      const rows = await repairDueTimes(database.writes, dueTimesOf(policy), now);
      if (rows > 0)
        log.warn({ rows }, 'due times lay too far ahead and were brought back: was a clock wrong?');
    },
  },
  { name: 'sum up object counts', intervalMs: MINUTE_MS, run: () => sumUpCounts(database.writes) },
  { name: 'count daily figures', intervalMs: HOUR_MS, run: (now) => countDays(database.writes, policy, now) },
];

const certificateJobs = ({ database, policy, authorityKeys }: JobDependencies): JobDefinition[] => [
  {
    name: 'remind of certificates',
    intervalMs: HOUR_MS,
    run: (now) => remindOfCertificates(database, now, policy),
    next: () => nextReminder(database, policy),
  },
  {
    name: 'sign revocation lists',
    intervalMs: 10 * MINUTE_MS,
    run: (now) => signDueLists(database.writes, authorityKeys, now, policy),
  },
];

const billingJobs = ({ database, policy, billing }: JobDependencies): JobDefinition[] => [
  {
    name: 'process due dates',
    intervalMs: HOUR_MS,
    run: (now) => processDueDates(database, policy, now),
    next: () => nextDueDate(database, policy),
  },
  {
    name: 'expire reservations',
    intervalMs: MINUTE_MS,
    run: (now) => repeatUntilNone(() => expireReservations(database.writes, now)),
    next: () => nextExpiry(database.reads),
  },
  {
    name: 'cancel unfulfillable invoices',
    intervalMs: 10 * MINUTE_MS,
    run: () => cancelUnfulfillableInvoices(billing),
  },
  { name: 'issue top-ups', intervalMs: MINUTE_MS, run: (now) => issueAutomaticTopUps(billing, now) },
  {
    name: 'make monthly statements',
    intervalMs: HOUR_MS,
    run: async (now) => {
      await makeStatements(database, policy, now);
      await mailStatements(database, policy, now);
    },
    next: () => nextStatements(database, policy),
  },
  {
    name: 'reconcile payments',
    intervalMs: 10 * MINUTE_MS,
    run: async (now) => {
      await pollOpenPayments(database.writes, now);
    },
  },
];

/**
 * When top-ups are exported automatically. Without an accounting service exports must not pile up; the sandbox
 * simulates one.
 */
export const exportTime = ({ mode, accountingUrl, accountingExportAt }: Config): TimeOfDay | undefined =>
  mode === 'sandbox' || accountingUrl !== undefined ? accountingExportAt : undefined;

const exportJobs = ({ database, policy, accountingExportAt: at }: JobDependencies): JobDefinition[] =>
  at === undefined
    ? []
    : [
        {
          name: 'export top-ups',
          intervalMs: MINUTE_MS,
          run: (now) => exportPaidTopUps(database, policy, at, now),
          next: () => nextPaidTopUp(database, policy, at),
        },
      ];

const retentionJobs = ({
  database: { writes },
  policy,
  mailRetentionDays: days,
}: JobDependencies): JobDefinition[] => [
  {
    name: 'delete unmatched payment events',
    intervalMs: DAY_MS,
    run: async (now) => {
      await repeatUntilNone(() => deleteStrayEvents(writes, now));
      await repeatUntilNone(() => deleteOldCallers(writes, now));
    },
  },
  {
    name: 'delete old login addresses',
    intervalMs: DAY_MS,
    run: (now) => repeatUntilNone(() => deleteOldLoginAddresses(writes, now)),
  },
  {
    name: 'delete old legal documents',
    intervalMs: DAY_MS,
    run: (now) => repeatUntilNone(() => deleteOldLegalDocuments(writes, now, policy)),
  },
  {
    name: 'delete old look-ups',
    intervalMs: HOUR_MS,
    run: async (now) => {
      await repeatUntilNone(() => deleteOldLookupRequests(writes, now, policy));
      await repeatUntilNone(() => deleteOldRegistrantMessages(writes, now, policy));
    },
  },
  {
    name: 'delete old zone serials',
    intervalMs: HOUR_MS,
    run: () => repeatUntilNone(() => deleteOldSerials(writes, wallClock.now(), policy)),
  },
  {
    name: 'delete old logins',
    intervalMs: HOUR_MS,
    run: () => repeatUntilNone(() => deleteOldLogins(writes, wallClock.now())),
  },
  {
    name: 'delete old certificate requests',
    intervalMs: DAY_MS,
    run: (now) => repeatUntilNone(() => deleteOldRequests(writes, now)),
  },
  {
    name: 'delete old call counts',
    intervalMs: HOUR_MS,
    run: () => repeatUntilNone(() => deleteOldCalls(writes, wallClock.now())),
  },
  {
    name: 'delete old wrong codes',
    intervalMs: HOUR_MS,
    run: (now) => repeatUntilNone(() => deleteOldWrongCodes(writes, now)),
  },
  {
    name: 'delete old webhook events',
    intervalMs: HOUR_MS,
    run: async (now) => {
      if (await hasWebhookTables(writes)) await repeatUntilNone(() => deleteOldEvents(writes, now));
    },
  },
  {
    name: 'delete old idempotency keys',
    intervalMs: HOUR_MS,
    run: (now) => repeatUntilNone(() => deleteOldKeys(writes, now)),
  },
  ...(days === undefined
    ? []
    : [
        {
          name: 'delete old mails',
          intervalMs: HOUR_MS,
          run: (now: Date) => repeatUntilNone(() => deleteOldMails(writes, now, days)),
        },
      ]),
];

/** Polls the payment provider first, then sends it refunds. */
const paymentJobs = ({ database, billing, simulated }: JobDependencies): JobDefinition[] => [
  ...(simulated ? [{ name: 'simulate', intervalMs: EVERY_CHECK_MS, ...simulated }] : []),
  {
    name: 'poll payments',
    intervalMs: EVERY_CHECK_MS,
    run: () => pollDuePayments(billing),
    hasWork: isPollDue,
    next: () => nextPoll(database.reads),
  },
  {
    name: 'refund payments',
    intervalMs: EVERY_CHECK_MS,
    run: () => refundDue(billing),
    hasWork: isRefundDue,
    next: () => nextRefund(database.reads),
  },
];

/** In a lane of its own, so that known payments never wait for it. */
const unknownPaymentJob = ({
  database,
  billing,
  paymentLookupsPerSecond,
}: JobDependencies): JobDefinition => ({
  name: 'poll unknown payments',
  intervalMs: EVERY_CHECK_MS,
  run: () => pollUnknownPayments(billing, paymentLookupsPerSecond),
  hasWork: isUnknownDue,
  next: () => nextUnknown(database.reads),
});

const deliveryJob = (
  { database, senders, log }: JobDependencies,
  target: ReturnType<typeof reachable>[number],
): JobDefinition => ({
  name: `deliver to ${target}`,
  intervalMs: EVERY_CHECK_MS,
  run: (now) => deliverTo({ sql: database.writes, senders, log }, target, now),
  hasWork: (now) => isDeliveryDue(target, now),
  next: () => nextDelivery(database.lists, [target]),
});

const mailJob = ({ database, log }: JobDependencies, mailer: Mailer): JobDefinition => ({
  name: 'deliver mails',
  intervalMs: EVERY_CHECK_MS,
  run: (now) => deliverMails({ sql: database.writes, mailer, log }, now),
  hasWork: isMailDue,
  next: () => nextMail(database.reads),
});

const webhookJob = ({ database }: JobDependencies, sender: WebhookSender): JobDefinition => {
  const hasTables = webhookTables(database.reads);
  return {
    name: 'deliver webhooks',
    intervalMs: EVERY_CHECK_MS,
    run: (now) => sender.run(now),
    hasWork: async (now) => ((await hasTables()) ? isWebhookDue(now) : sql`false`),
    next: async () => ((await hasTables()) ? nextWebhook(database.reads) : undefined),
  };
};

const zoneJob = ({ database, policy }: JobDependencies): JobDefinition => ({
  name: 'publish zones',
  intervalMs: EVERY_CHECK_MS,
  // Serials follow the wall clock: secondaries do not know that of a sandbox.
  run: zonePublisher(database.writes, policy, () => wallClock.now()),
  hasWork: zoneWork(database.reads, policy),
});

const statementJob = (
  { log }: JobDependencies,
  statements: Omit<FolderDependencies, 'log'>,
): JobDefinition => ({
  name: 'import bank statements',
  intervalMs: MINUTE_MS,
  run: (now) => importFolder({ ...statements, log }, now),
});

async function repeatUntilNone(removeSome: () => Promise<number>): Promise<void> {
  while ((await removeSome()) > 0);
}

import { type FolderParts, importFolder } from '../billing/bank/import-folder.ts';
import { deliverTo, reachable, type Senders } from '../billing/deliveries/deliver.ts';
import { nextDue as nextDelivery } from '../billing/deliveries/delivery-store.ts';
import {
  exportPaidTopUps,
  nextPaidTopUp,
  type TimeOfDay,
} from '../billing/exports/accounting/export-paid-top-ups.ts';
import { followDueDates, nextDueDate } from '../billing/invoices/follow-due-dates.ts';
import { issueAutomaticTopUps } from '../billing/invoices/top-up.ts';
import { deleteStrayEvents } from '../billing/payments/callback.ts';
import { nextPoll, pollOpenPayments } from '../billing/payments/poll-leases.ts';
import { pollDuePayments, pollUnknownPayments } from '../billing/payments/poll-provider.ts';
import { nextRefund, refundDue } from '../billing/payments/refunds.ts';
import { deleteOldCallers, nextUnknown } from '../billing/payments/unknown-payments.ts';
import { mailStatements } from '../billing/statements/mail-statements.ts';
import { makeStatements, nextStatements } from '../billing/statements/make-statements.ts';
import { deleteOldKeys } from '../operations/idempotency.ts';
import type { Config } from '../platform/config/config.ts';
import { reportStops } from '../platform/jobs/job-limits.ts';
import type { Job } from '../platform/jobs/jobs.ts';
import type { DueWork } from '../platform/jobs/simulate-until.ts';
import type { Logger } from '../platform/logging.ts';
import { deliverMails, nextDue as nextMail } from '../platform/mail/deliver-mails.ts';
import type { Mailer } from '../platform/mail/mail.ts';
import { deleteOldMails } from '../platform/mail/mail-view.ts';
import type { Database } from '../platform/sql/database.ts';
import type { Policy } from '../policy/policy.ts';
import { deleteOldLoginAddresses } from '../registry/access/failed-logins.ts';
import { deleteOldWrongCodes } from '../registry/access/wrong-codes.ts';
import { nextReminder, remindOfCertificates } from '../registry/certificates/remind-of-certificates.ts';
import type { FindKey } from '../registry/certificates/revocation-lists.ts';
import { ARCHIVE_JOB, archiveContacts, nextIdle } from '../registry/lifecycle/archive-contacts.ts';
import { LIFECYCLE_JOB, momentOf, nextDue, runLifecycle } from '../registry/lifecycle/lifecycle.ts';
import type { ReservationDependencies } from '../reservations/dependencies.ts';
import {
  cancelUnfulfillableInvoices,
  expireReservations,
  nextExpiry,
} from '../reservations/expire-reservations.ts';

/** A job, and its next due time where that is known. */
export type JobDefinition = Job & Partial<Pick<DueWork, 'next'>>;
/** Jobs of one lane run one after the other; lanes run independently. */
export type Lane = { readonly works: readonly JobDefinition[]; readonly lookEveryMs: number };

export type JobDependencies = {
  readonly database: Database;
  readonly log: Logger;
  readonly policy: Policy;
  /** Whether jobs stop at the policy's daily limits. The sandbox's clock is moved by years on purpose. */
  readonly isLimited: boolean;
  /** Without one, mails stay queued. */
  readonly mailer: Mailer | undefined;
  readonly senders: Senders;
  readonly billing: ReservationDependencies;
  readonly paymentLookupsPerSecond: number;
  readonly authorityKeys: FindKey;
  /** Background work of the services that the sandbox simulates. */
  readonly simulated?: Required<Pick<JobDefinition, 'run' | 'next'>>;
  /** Without it no folder is checked for bank statements. */
  readonly statements?: Omit<FolderParts, 'log'> | undefined;
  /** When paid top-ups are exported to the accounting service; never automatically when undefined. */
  readonly accountingExportAt: TimeOfDay | undefined;
  /** Retention of mails that were sent or given up; unlimited when undefined. */
  readonly mailsKeptForDays: number | undefined;
};

/** Retention in production: mails contain personal data. */
export const MAILS_KEPT_FOR_DAYS = 30;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LOOK_EVERY_MS = 5_000;
/** Polling interval of outgoing messages. Polling costs less than a NOTIFY in every transaction. */
const OUTGOING_POLL_INTERVAL_MS = 1_000;
/** Below the polling interval, so that the job is due at every poll. */
const EVERY_POLL_MS = 500;

/** All time-driven work, each job after those that cause its work. A slow service delays only its own lane. */
export function lanesOf(parts: JobDependencies): Lane[] {
  const { mailer, senders, statements } = parts;
  const outside = (works: readonly JobDefinition[]): Lane => ({
    works,
    lookEveryMs: OUTGOING_POLL_INTERVAL_MS,
  });
  return [
    {
      works: [
        ...registryWorks(parts),
        ...certificateWorks(parts),
        ...billingWorks(parts),
        ...exportWorks(parts),
        ...forgetting(parts),
      ],
      lookEveryMs: LOOK_EVERY_MS,
    },
    outside(paymentWorks(parts)),
    outside([unknownPaymentWork(parts)]),
    ...reachable(senders).map((target) => outside([deliveryWork(parts, target)])),
    ...(mailer ? [outside([mailWork(parts, mailer)])] : []),
    // In a lane of its own: a large statement takes long and is not urgent.
    ...(statements ? [{ works: [statementWork(parts, statements)], lookEveryMs: LOOK_EVERY_MS }] : []),
  ];
}

const registryWorks = ({ database, policy, log, isLimited }: JobDependencies): JobDefinition[] => [
  {
    name: LIFECYCLE_JOB,
    everyMs: MINUTE_MS,
    run: async (now) => reportStops(log, await runLifecycle(database, now, policy, isLimited)),
    next: () => nextDue(database, policy),
  },
  {
    name: ARCHIVE_JOB,
    everyMs: DAY_MS,
    run: async (now) => reportStops(log, await archiveContacts(database, momentOf(now, policy), isLimited)),
    next: () => nextIdle(database, policy),
  },
];

const certificateWorks = ({ database, policy, authorityKeys }: JobDependencies): JobDefinition[] => [
  {
    name: 'remind of certificates',
    everyMs: HOUR_MS,
    run: (now) => remindOfCertificates(database, now, policy),
    next: () => nextReminder(database, policy),
  },
  {
    name: 'sign revocation lists',
    everyMs: 10 * MINUTE_MS,
    // Imported lazily: only jobs that sign need the library.
    run: async (now) =>
      (await import('../registry/certificates/revocation-lists.ts')).signDueLists(
        database.writes,
        authorityKeys,
        now,
        policy,
      ),
  },
];

const billingWorks = ({ database, policy, billing }: JobDependencies): JobDefinition[] => [
  {
    name: 'process due dates',
    everyMs: HOUR_MS,
    run: (now) => followDueDates(database, policy, now),
    next: () => nextDueDate(database, policy),
  },
  {
    name: 'expire reservations',
    everyMs: MINUTE_MS,
    run: (now) => untilNoneIsLeft(() => expireReservations(database.writes, now)),
    next: () => nextExpiry(database.reads),
  },
  {
    name: 'cancel unfulfillable invoices',
    everyMs: 10 * MINUTE_MS,
    run: () => cancelUnfulfillableInvoices(billing),
  },
  { name: 'issue top-ups', everyMs: MINUTE_MS, run: (now) => issueAutomaticTopUps(billing, now) },
  {
    name: 'make monthly statements',
    everyMs: HOUR_MS,
    run: async (now) => {
      await makeStatements(database, policy, now);
      await mailStatements(database, policy, now);
    },
    next: () => nextStatements(database, policy),
  },
  {
    name: 'reconcile payments',
    everyMs: 10 * MINUTE_MS,
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

const exportWorks = ({ database, policy, accountingExportAt: at }: JobDependencies): JobDefinition[] =>
  at === undefined
    ? []
    : [
        {
          name: 'export top-ups',
          everyMs: MINUTE_MS,
          run: (now) => exportPaidTopUps(database, policy, at, now),
          next: () => nextPaidTopUp(database, policy, at),
        },
      ];

const forgetting = ({ database: { writes }, mailsKeptForDays: days }: JobDependencies): JobDefinition[] => [
  {
    name: 'delete unmatched payment events',
    everyMs: DAY_MS,
    run: async (now) => {
      await untilNoneIsLeft(() => deleteStrayEvents(writes, now));
      await untilNoneIsLeft(() => deleteOldCallers(writes, now));
    },
  },
  {
    name: 'delete old login addresses',
    everyMs: DAY_MS,
    run: (now) => untilNoneIsLeft(() => deleteOldLoginAddresses(writes, now)),
  },
  {
    name: 'delete old wrong codes',
    everyMs: HOUR_MS,
    run: (now) => untilNoneIsLeft(() => deleteOldWrongCodes(writes, now)),
  },
  {
    name: 'delete old idempotency keys',
    everyMs: HOUR_MS,
    run: (now) => untilNoneIsLeft(() => deleteOldKeys(writes, now)),
  },
  ...(days === undefined
    ? []
    : [
        {
          name: 'delete old mails',
          everyMs: HOUR_MS,
          run: (now: Date) => untilNoneIsLeft(() => deleteOldMails(writes, now, days)),
        },
      ]),
];

/** Polls the payment provider first, then sends it refunds. */
const paymentWorks = ({ database, billing, simulated }: JobDependencies): JobDefinition[] => [
  ...(simulated ? [{ name: 'simulate', everyMs: EVERY_POLL_MS, ...simulated }] : []),
  {
    name: 'poll payments',
    everyMs: EVERY_POLL_MS,
    run: () => pollDuePayments(billing),
    next: () => nextPoll(database.reads),
  },
  {
    name: 'refund payments',
    everyMs: EVERY_POLL_MS,
    run: () => refundDue(billing),
    next: () => nextRefund(database.reads),
  },
];

/** In a lane of its own, so that known payments never wait for it. */
const unknownPaymentWork = ({
  database,
  billing,
  paymentLookupsPerSecond,
}: JobDependencies): JobDefinition => ({
  name: 'poll unknown payments',
  everyMs: EVERY_POLL_MS,
  run: () => pollUnknownPayments(billing, paymentLookupsPerSecond),
  next: () => nextUnknown(database.reads),
});

const deliveryWork = (
  { database, senders, log }: JobDependencies,
  target: ReturnType<typeof reachable>[number],
): JobDefinition => ({
  name: `deliver to ${target}`,
  everyMs: EVERY_POLL_MS,
  run: (now) => deliverTo({ sql: database.writes, senders, log }, target, now),
  next: () => nextDelivery(database.lists, [target]),
});

const mailWork = ({ database, log }: JobDependencies, mailer: Mailer): JobDefinition => ({
  name: 'deliver mails',
  everyMs: EVERY_POLL_MS,
  run: (now) => deliverMails({ sql: database.writes, mailer, log }, now),
  next: () => nextMail(database.reads),
});

const statementWork = ({ log }: JobDependencies, statements: Omit<FolderParts, 'log'>): JobDefinition => ({
  name: 'import bank statements',
  everyMs: MINUTE_MS,
  run: (now) => importFolder({ ...statements, log }, now),
});

async function untilNoneIsLeft(removeSome: () => Promise<number>): Promise<void> {
  while ((await removeSome()) > 0);
}

import { strayEventPurge } from '../billing/payments/record-callback.ts';
import { callerPurge } from '../billing/payments/unknown-payments.ts';
import { keyPurge } from '../operations/stored-answers.ts';
import { madeObjectPurge } from '../registry/keep-keys.ts';
import type { Purge } from '../platform/jobs/run-purge.ts';
import { mailPurge } from '../platform/mail/mail-view.ts';
import type { Policy } from '../policy/policy.ts';
import { loginAddressPurge } from '../registry/access/login-addresses.ts';
import { wrongCodePurge } from '../registry/access/wrong-transfer-codes.ts';
import { bulkJobPurge } from '../registry/bulk-jobs/delete-old-bulk-jobs.ts';
import { callPurge } from '../registry/activity/delete-old-calls.ts';
import { requestPurge } from '../registry/certificates/delete-old-requests.ts';
import { legalDocumentPurge } from '../registry/legal-documents.ts';
import { lookupRequestPurge, registrantMessagePurge } from '../registry/lookup/delete-old-lookups.ts';
import { markPurge } from '../registry/events/event-marks.ts';
import { loginPurges } from '../registry/people/delete-old-logins.ts';
import { eventPurge } from '../registry/webhooks/webhook-deliveries.ts';
import { serialPurge } from '../registry/zones/zone-work.ts';
import { reservationPurge } from '../reservations/expire-reservations.ts';

/** A job that deletes rows whose time is over. If one of its purges exceeds the limit, none of them is done. */
export type PurgeJob = {
  readonly name: string;
  readonly intervalMs: number;
  readonly purges: readonly Purge[];
  /** On the schema of the release before there is nothing to delete. */
  readonly isNew?: boolean;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Retention in production: mails contain personal data. */
export const MAIL_RETENTION_DAYS = 30;

export const reservationJob: PurgeJob = {
  name: 'expire reservations',
  intervalMs: MINUTE_MS,
  purges: [reservationPurge],
};

/** Everything that is deleted by time alone. Mails are kept where there are no days. */
export const purgeJobs = (policy: Policy, mailRetentionDays: number | undefined): readonly PurgeJob[] => [
  reservationJob,
  { name: 'delete unmatched payment events', intervalMs: DAY_MS, purges: [strayEventPurge, callerPurge] },
  { name: 'delete old login addresses', intervalMs: DAY_MS, purges: [loginAddressPurge] },
  { name: 'delete old legal documents', intervalMs: DAY_MS, purges: [legalDocumentPurge(policy)] },
  {
    name: 'delete old look-ups',
    intervalMs: HOUR_MS,
    purges: [lookupRequestPurge(policy), registrantMessagePurge(policy)],
  },
  { name: 'delete old zone serials', intervalMs: HOUR_MS, purges: [serialPurge(policy)] },
  { name: 'delete old logins', intervalMs: HOUR_MS, purges: loginPurges },
  { name: 'delete old certificate requests', intervalMs: DAY_MS, purges: [requestPurge] },
  { name: 'delete old call counts', intervalMs: HOUR_MS, purges: [callPurge] },
  { name: 'delete old wrong codes', intervalMs: HOUR_MS, purges: [wrongCodePurge] },
  { name: 'delete old webhook events', intervalMs: HOUR_MS, purges: [eventPurge, markPurge] },
  { name: 'delete old bulk jobs', intervalMs: HOUR_MS, purges: [bulkJobPurge], isNew: true },
  { name: 'delete old idempotency keys', intervalMs: HOUR_MS, purges: [madeObjectPurge, keyPurge] },
  ...(mailRetentionDays === undefined
    ? []
    : [{ name: 'delete old mails', intervalMs: HOUR_MS, purges: [mailPurge(mailRetentionDays)] }]),
];

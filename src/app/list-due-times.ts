import { deliveryDueTime } from '../billing/deliveries/document-deliveries.ts';
import { pollDueTimes } from '../billing/payments/poll-leases.ts';
import { refundDueTime } from '../billing/payments/refunds.ts';
import type { DueTime } from '../platform/jobs/repair-due-times.ts';
import { mailDueTime } from '../platform/mail/deliver-mails.ts';
import type { Policy } from '../policy/policy.ts';
import { wrongCodeTime } from '../registry/access/wrong-transfer-codes.ts';
import { bulkJobDueTime } from '../registry/bulk-jobs/run-bulk-jobs.ts';
import { revocationListTime } from '../registry/certificates/revocation-lists.ts';
import { sessionLeaseTime } from '../registry/sessions/session-leases.ts';
import { webhookDueTimes } from '../registry/webhooks/webhook-deliveries.ts';

/** Every queue and lease of the registry, except the jobs themselves, which are due by their intervals. */
export const dueTimesOf = (policy: Policy): readonly DueTime[] => [
  mailDueTime,
  deliveryDueTime,
  refundDueTime,
  ...pollDueTimes,
  ...webhookDueTimes,
  bulkJobDueTime,
  sessionLeaseTime,
  revocationListTime(policy),
  wrongCodeTime,
];

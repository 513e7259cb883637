import { countUnpaid, listUnpaid } from '../../../billing/invoices/count-unpaid.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { dayIn as dayInZone } from '../../../platform/values/dates.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { Principal } from '../../../registry/actor.ts';
import { type BulkJob, listBulkJobs } from '../../../registry/bulk-jobs/read-bulk-jobs.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import { listSnoozedLines, type SnoozedLine } from '../../../registry/people/snoozed-lines.ts';
import {
  readBalance,
  readDomainsInNeed,
  readUnreadMessages,
} from '../../../registry/registrars/attention.ts';
import { readDueRenewals } from '../../../registry/registrars/balance-outlook.ts';
import { offersWebhooks } from '../../../registry/webhooks/known-webhooks.ts';
import { isBroken, listEndpoints } from '../../../registry/webhooks/webhook-endpoint.ts';
import type { ConsoleParts, Visit } from '../console-page.ts';
import { messageScope } from '../messages/message-scope.ts';
import { unlessRefused } from '../unless-refused.ts';
import type { Concerns } from './worklist.ts';

const DAY_MS = 86_400_000;
/** How long a job that failed in part is something to do, and of how many jobs the newest are looked at. */
const JOB_MATTERS_MS = 2 * DAY_MS;
const JOBS_LOOKED_AT = 20;

/** What may need something of the person, and what it has put off. */
export async function loadConcerns(
  { database, policy, webhooks }: ConsoleParts,
  visit: Visit,
): Promise<{ readonly concerns: Concerns; readonly snoozed: readonly SnoozedLine[] }> {
  const { reads } = database;
  const { principal, session, now, may } = visit;
  const expiry = expiringDays(now, policy);
  const [domains, messages, money, endpoints, jobs, snoozed] = await Promise.all([
    may('read') ? readDomainsInNeed(reads, principal, expiry, { now, policy }) : undefined,
    may('read') ? readUnreadMessages(reads, messageScope(visit)) : undefined,
    may('money') ? readMoney(database, visit) : undefined,
    may('access') && offersWebhooks(webhooks) ? listEndpoints(reads, principal) : [],
    may('objects') ? listBulkJobs(reads, principal, { before: undefined, size: JOBS_LOOKED_AT }) : [],
    listSnoozedLines(reads, session),
  ]);
  const concerns = {
    domains,
    expiry,
    messages,
    account: money?.account,
    invoices: money?.invoices,
    firstDue: money?.firstDue,
    webhooks: endpoints.filter(isBroken),
    jobs: jobs.filter((job) => needsSomebody(job, jobs, now)),
  };
  return { concerns, snoozed };
}

async function readMoney({ reads }: Database, { principal }: Visit) {
  const [account, invoices, [firstDue]] = await Promise.all([
    readBalance(reads, principal),
    countUnpaid(reads, principal.registrarId),
    listUnpaid(reads, principal.registrarId, 1),
  ]);
  return { account, invoices, firstDue };
}

/** Renewals of a year; undefined as inSpareTurn is. */
export const loadDueRenewals = ({ database, policy }: ConsoleParts, { principal, now }: Visit) =>
  inSpareTurn(database, principal, (db) =>
    readDueRenewals(db, principal, new Date(now.getTime() + 365 * DAY_MS), { now, policy }),
  );

/** Undefined while the registrar reads too many lists: what is to be done matters more than what stands beside it. */
export const inSpareTurn = <T>(
  database: Database,
  principal: Principal,
  read: (db: Sql) => Promise<T>,
): Promise<T | undefined> => unlessRefused('unavailable', () => inListTurn(database, principal, read));

/** It was stopped by a person, or finished with failures a short time ago that nobody has tried again. */
export const needsSomebody = (job: BulkJob, newest: readonly BulkJob[], now: Date): boolean =>
  job.state === 'stopped' ||
  (job.state === 'finished' &&
    job.refused > 0 &&
    now.getTime() - (job.finishedAt?.getTime() ?? 0) < JOB_MATTERS_MS &&
    !newest.some(({ againOf }) => againOf === job.sequence));

type Days = {
  readonly from: Date;
  readonly until: Date;
  readonly fromDay: string;
  readonly lastDay: string;
};

/** Whole days in the registry's zone, as the filter of the list has them: the number and the list are the same. */
function expiringDays(now: Date, { timeZone, domains }: Policy): Days {
  const from = dayInZone(timeZone, now);
  const last = from.add({ days: domains.expiryNoticeDays });
  const startOf = (day: typeof from) => new Date(day.toZonedDateTime(timeZone).epochMilliseconds);
  return {
    from: startOf(from),
    until: startOf(last.add({ days: 1 })),
    fromDay: from.toString(),
    lastDay: last.toString(),
  };
}

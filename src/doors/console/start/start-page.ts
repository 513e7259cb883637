import { countUnpaid, listUnpaid } from '../../../billing/invoices/count-unpaid.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Sql } from '../../../platform/sql/executor.ts';
import { dayIn as dayInZone } from '../../../platform/values/dates.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { Principal } from '../../../registry/actor.ts';
import { type BulkJob, listBulkJobs } from '../../../registry/bulk-jobs/read-bulk-jobs.ts';
import { lastMonths, readFigures } from '../../../registry/figures/read-figures.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import {
  readBalance,
  readDomainsInNeed,
  readUnreadMessages,
} from '../../../registry/registrars/attention.ts';
import { readDueRenewals } from '../../../registry/registrars/balance-outlook.ts';
import { offersWebhooks } from '../../../registry/webhooks/known-webhooks.ts';
import { isBroken, listEndpoints } from '../../../registry/webhooks/webhook-endpoint.ts';
import { weekdayOf } from '../../html/language.ts';
import { html } from '../../html/layout.ts';
import { type ConsoleParts, definePage, type Visit } from '../console-page.ts';
import { newDomainLinks } from '../domains/domains-page.ts';
import { messageScope } from '../messages/message-scope.ts';
import { outlookCard } from './outlook-card.ts';
import { unlessRefused } from '../unless-refused.ts';
import { startTexts } from './start-texts.ts';
import { worklist } from './worklist.ts';
import { yearCard } from './year-card.ts';

const DAY_MS = 86_400_000;
/** How long a job that failed in part is something to do, and of how many jobs the newest are looked at. */
const JOB_MATTERS_MS = 2 * DAY_MS;
const JOBS_LOOKED_AT = 20;

/** What is to be done today, as far as the person may see it. */
export const startPage = definePage({
  path: '',
  right: undefined,
  menu: 'start',
  load: async (parts, visit) => {
    const { database, policy, webhooks } = parts;
    const { reads } = database;
    const { principal, now, may } = visit;
    const expiry = expiringDays(now, policy);
    const [domains, figures, messages, money, endpoints, jobs] = await Promise.all([
      may('read') ? readDomainsInNeed(reads, principal, expiry, { now, policy }) : undefined,
      may('read') ? readYear(parts, visit) : undefined,
      may('read') ? readUnreadMessages(reads, messageScope(visit)) : undefined,
      may('money') ? readMoney(parts, visit) : undefined,
      may('access') && offersWebhooks(webhooks) ? listEndpoints(reads, principal) : [],
      may('objects') ? listBulkJobs(reads, principal, { before: undefined, size: JOBS_LOOKED_AT }) : [],
    ]);
    const concerns = {
      domains,
      expiry,
      messages,
      account: money?.account,
      invoices: money?.invoices,
      firstDue: money?.firstDue,
      webhooks: endpoints.filter(isBroken),
      jobs: jobs.filter((job) => needsSomebody(job, now)),
    };
    return { concerns, figures, money };
  },
  view: ({ concerns, figures, money }, visit, parts) => {
    const texts = startTexts(visit.lang);
    const body = html`<div class="head"><h1>${weekdayOf(visit.lang, visit.now, parts.policy)}</h1>${visit.may('objects') && newDomainLinks(visit)}</div>
<div class="cards"><div>${worklist(concerns, visit, parts)}${figures && yearCard(figures, visit)}</div>
${money && outlookCard(money.account, money.due, visit, parts)}</div>
`;
    return { title: texts.title, body };
  },
});

const readYear = ({ database, policy: { timeZone } }: ConsoleParts, { principal, now }: Visit) =>
  inSpareTurn(database, principal, (db) => readFigures(db, lastMonths(now, timeZone), timeZone, principal));

/** Undefined while the registrar reads too many lists: what is to be done matters more than what stands beside it. */
const inSpareTurn = <T>(
  database: Database,
  principal: Principal,
  read: (db: Sql) => Promise<T>,
): Promise<T | undefined> => unlessRefused('unavailable', () => inListTurn(database, principal, read));

async function readMoney({ database, policy }: ConsoleParts, { principal, now }: Visit) {
  const { reads } = database;
  const nextYear = new Date(now.getTime() + 365 * DAY_MS);
  const [account, invoices, [firstDue], due] = await Promise.all([
    readBalance(reads, principal),
    countUnpaid(reads, principal.registrarId),
    listUnpaid(reads, principal.registrarId, 1),
    inSpareTurn(database, principal, (db) => readDueRenewals(db, principal, nextYear, { now, policy })),
  ]);
  return { account, invoices, firstDue, due };
}

/** It was stopped by a person, or finished with failures a short time ago. */
const needsSomebody = ({ state, refused, finishedAt }: BulkJob, now: Date): boolean =>
  state === 'stopped' ||
  (state === 'finished' && refused > 0 && now.getTime() - (finishedAt?.getTime() ?? 0) < JOB_MATTERS_MS);

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

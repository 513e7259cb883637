import type { OpenInvoice, UnpaidInvoices } from '../../../billing/invoices/count-unpaid.ts';
import type { BulkJob } from '../../../registry/bulk-jobs/read-bulk-jobs.ts';
import type {
  Balance,
  DomainNeed,
  DomainsInNeed,
  NeedyDomains,
  UnreadMessages,
} from '../../../registry/registrars/attention.ts';
import { type CountedLine, type SnoozedLine, snoozedUntil } from '../../../registry/people/snoozed-lines.ts';
import type { ShownEndpoint } from '../../../registry/webhooks/webhook-endpoint.ts';
import { amountIn } from '../../html/amount-in.ts';
import { hiddenField } from '../../html/form.ts';
import { dayIn, isolated, momentIn } from '../../html/language.ts';
import { type Html, html, type HtmlValue } from '../../html/layout.ts';
import { AGAIN, SELECTED } from '../bulk/beginning-steps.ts';
import { bulkRenewal } from '../bulk/renewals-form.ts';
import { type ConsoleParts, consoleAddress, maySeePrices, type Visit } from '../console-page.ts';
import { domainAddress } from '../domains/domains-page.ts';
import { type IconName, icon } from '../icons.ts';
import { jobTexts } from '../jobs/job-texts.ts';
import { doneOf, numberIn, taskOf } from '../jobs/job-words.ts';
import { jobAddress } from '../jobs/jobs-page.ts';
import { listTexts } from '../list-texts.ts';
import { messageWords } from '../messages/message-words.ts';
import { balanceTexts } from '../money/balance-texts.ts';
import { webhookAddress, webhookName } from '../webhooks/own-webhook.ts';
import { snoozedLines, snoozeMenu } from './snooze-menu.ts';
import { startTexts } from './start-texts.ts';

/** What may need something of the person; undefined where the role does not see it. */
export type Concerns = {
  readonly domains: DomainsInNeed | undefined;
  /** The days within which domains count as expiring. */
  readonly expiry: { readonly fromDay: string; readonly lastDay: string };
  readonly messages: UnreadMessages | undefined;
  readonly account: Balance | undefined;
  readonly invoices: UnpaidInvoices | undefined;
  readonly firstDue: OpenInvoice | undefined;
  readonly webhooks: readonly ShownEndpoint[];
  readonly jobs: readonly BulkJob[];
};

/** The worst first; `neutral` is the person's own doing. */
const TONES = ['error', 'warn', 'waiting', 'neutral'] as const;
type Tone = (typeof TONES)[number];

/** One thing to decide, and of how many objects. */
export type Line = CountedLine & {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly title: string;
  readonly href: string;
  readonly hint?: HtmlValue;
  readonly action?: Html | false;
};

/** What is to be done today, the worst first. */
export function worklist(
  { concerns, snoozed }: { readonly concerns: Concerns; readonly snoozed: readonly SnoozedLine[] },
  visit: Visit,
  parts: ConsoleParts,
): Html {
  const texts = startTexts(visit.lang);
  const every = linesOf(concerns, visit, parts).map((line) => ({
    ...line,
    until: snoozedUntil(line, snoozed, visit.now),
  }));
  const lines = every.filter(({ until }) => until === undefined);
  const putOff = every.flatMap(({ until, ...line }) => (until ? [{ ...line, until }] : []));
  const listed = lines.map(
    (line) => html`<li class="${line.tone}">${icon(line.icon)}
<div><a href="${line.href}">${line.title}</a>${line.hint && html`<p>${line.hint}</p>`}</div>${line.action}${snoozeMenu(line, visit, parts)}</li>
`,
  );
  const urgent = lines.filter(({ tone }) => tone === 'error').length;
  return html`<section class="card worklist"><h2>${texts.worklist}</h2>
${lines.length === 0 ? html`<p>${texts.nothing}</p>\n` : html`<p class="quiet">${texts.things(lines.length, urgent)}</p>\n<ul>${listed}</ul>\n`}${snoozedLines(putOff, visit, parts)}</section>
`;
}

export function linesOf(concerns: Concerns, visit: Visit, parts: ConsoleParts): Line[] {
  const lines = [
    ...domainLines(concerns, visit, parts),
    ...concerns.webhooks.map((endpoint) => webhookLine(endpoint, visit, parts)),
    ...moneyLines(concerns, visit),
    ...concerns.jobs.map((job) => jobLine(job, visit, parts)),
    ...messageLines(concerns, visit, parts),
  ];
  return lines.toSorted((one, other) => TONES.indexOf(one.tone) - TONES.indexOf(other.tone));
}

const NEEDS = {
  serverHold: ['error', 'domains'],
  expired: ['error', 'calendar'],
  serverForceDelete: ['error', 'domains'],
  pendingDelete: ['error', 'calendar'],
  expiring: ['warn', 'calendar'],
  pendingUpdate: ['waiting', 'hourglass'],
  pendingDeleteConfirmation: ['waiting', 'hourglass'],
  clientHold: ['neutral', 'domains'],
} as const satisfies Readonly<Record<DomainNeed, readonly [Tone, IconName]>>;

function domainLines({ domains, expiry }: Concerns, visit: Visit, parts: ConsoleParts): Line[] {
  if (!domains) return [];
  const texts = startTexts(visit.lang);
  const { bounded } = listTexts(visit.lang);
  const needs = (Object.keys(NEEDS) as DomainNeed[]).filter((need) => domains[need].count > 0);
  return needs.map((need) => {
    const found = domains[need];
    const [tone, picture] = NEEDS[need];
    const [first] = found.names;
    const only = found.count === 1 ? first : undefined;
    const list: Readonly<Record<string, string>> =
      need === 'expiring'
        ? { from: expiry.fromDay, to: expiry.lastDay, sort: 'expire_time' }
        : { status: need };
    return {
      key: `domains:${need}`,
      count: found.count,
      tone,
      icon: picture,
      title: texts.needs[need](sentence(bounded(found.count)), only, parts.policy.domains.expiryNoticeDays),
      href: only === undefined ? consoleAddress('/domains', list) : domainAddress(only),
      hint: only === undefined && namesOf(found, visit),
      action:
        (need === 'expired' || need === 'expiring') &&
        visit.may('objects') &&
        renewalForm(found, list, visit, parts),
    };
  });
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function namesOf({ count, names }: NeedyDomains, { lang }: Visit): Html {
  const { furtherDomains } = startTexts(lang);
  return html`${names.join(' · ')}${count > names.length && html` ${furtherDomains}`}`;
}

/** Begins the renewal of a whole list for a year; its preview says what is charged. */
function renewalForm(
  { count, renewal }: NeedyDomains,
  list: Readonly<Record<string, string>>,
  visit: Visit,
  { policy: { currency } }: ConsoleParts,
): Html {
  const { renew } = startTexts(visit.lang);
  const price = renewal !== null && maySeePrices(visit) && ` · ${amountIn(visit.lang, renewal, currency)}`;
  return html`<form method="post" action="${consoleAddress(bulkRenewal.task.path)}">${hiddenField('list', new URLSearchParams(list).toString())}${hiddenField('all', 'yes')}<button class="act second" name="step" value="${SELECTED}">${renew(listTexts(visit.lang).bounded(count))}${price}</button></form>`;
}

function webhookLine(endpoint: ShownEndpoint, { lang }: Visit, { policy }: ConsoleParts): Line {
  const texts = startTexts(lang);
  const since = endpoint.failingSince ?? endpoint.disabledAt;
  return {
    key: `webhook:${endpoint.id}`,
    count: 1,
    tone: 'error',
    icon: 'webhooks',
    title: texts.webhookFails(webhookName(endpoint)),
    href: webhookAddress(endpoint.id),
    hint: since !== null && html`${texts.since} ${momentIn(lang, new Date(since), policy)}`,
  };
}

function moneyLines({ account, invoices, firstDue }: Concerns, { lang }: Visit): Line[] {
  if (!account || !invoices) return [];
  const texts = startTexts(lang);
  const amount = (cents: string) => amountIn(lang, cents, account.currency);
  const topUp = html`<a class="act second" href="${consoleAddress('/balance/top-up')}">${balanceTexts(lang).topUp}</a>`;
  const { balance, debt, threshold } = account;
  const owes = debt !== null && BigInt(debt) > 0n;
  const owed: Line[] = owes
    ? [
        {
          ...ACCOUNT,
          key: 'debt',
          count: Number(debt),
          tone: 'error',
          title: texts.debt(amount(debt)),
          hint: texts.debtMeans,
          action: topUp,
        },
      ]
    : [];
  const low: Line[] =
    !owes && threshold !== null && BigInt(balance) < BigInt(threshold)
      ? [
          {
            ...ACCOUNT,
            key: 'low',
            count: 1,
            tone: 'warn',
            title: texts.low(amount(threshold)),
            hint: texts.balanceIs(amount(balance)),
            action: topUp,
          },
        ]
      : [];
  const unpaid = (['overdue', 'failed', 'unpaid'] as const)
    .filter((status) => invoices[status] > 0)
    .map((status): Line => {
      const due = firstDue?.status === status && firstDue;
      return {
        key: `invoices:${status}`,
        count: invoices[status],
        tone: status === 'unpaid' ? 'warn' : 'error',
        icon: 'invoices',
        title: texts.invoices[status](invoices[status]),
        href: consoleAddress('/invoices', { status }),
        hint:
          due &&
          texts.firstDue(due.number, amountIn(lang, due.amount, due.currency), dayIn(lang, due.dueDate)),
      };
    });
  return [...owed, ...low, ...unpaid];
}

const ACCOUNT = { icon: 'account', href: consoleAddress('/balance') } as const;

function jobLine(job: BulkJob, visit: Visit, { policy }: ConsoleParts): Line {
  const texts = startTexts(visit.lang);
  const task = taskOf(job.kind);
  const { title } = task.texts(visit.lang);
  const [refused, total] = [numberIn(job.refused, visit), numberIn(job.total, visit)];
  const isStopped = job.state === 'stopped';
  return {
    key: `job:${job.id}`,
    count: job.refused,
    tone: 'warn',
    icon: 'jobs',
    title: isStopped
      ? texts.jobStopped(title, numberIn(doneOf(job), visit), total)
      : texts.jobFailed(title, refused, total),
    href: jobAddress(job),
    hint: html`${isolated(job.personName)}, ${momentIn(visit.lang, job.createdAt, policy)}`,
    action:
      !isStopped &&
      html`<form method="post" action="${consoleAddress(task.path)}">${hiddenField('job', job.id)}<button class="act second" name="step" value="${AGAIN}">${jobTexts(visit.lang).actions.again(refused)}</button></form>`,
  };
}

function messageLines({ messages }: Concerns, { lang }: Visit, { policy }: ConsoleParts): Line[] {
  if (!messages?.newest) return [];
  const words = messageWords(messages.newest, lang, policy);
  return [
    {
      key: 'messages',
      count: messages.count,
      tone: 'neutral',
      icon: 'inbox',
      title: startTexts(lang).unread(sentence(listTexts(lang).bounded(messages.count))),
      href: consoleAddress('/messages'),
      hint: html`<bdi lang="${words.lang}">${words.text}</bdi>`,
    },
  ];
}

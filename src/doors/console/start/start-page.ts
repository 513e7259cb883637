import { countUnpaid, type UnpaidInvoices } from '../../../billing/invoices/count-unpaid.ts';
import { dayIn as dayInZone } from '../../../platform/values/dates.ts';
import type { Policy } from '../../../policy/policy.ts';
import {
  type Balance,
  countDomainsInNeed,
  type DomainsInNeed,
  readBalance,
  readUnreadMessages,
  type UnreadMessages,
} from '../../../registry/registrars/attention.ts';
import { amountIn } from '../../html/amount-in.ts';
import { factList } from '../../html/fact-list.ts';
import { momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { listTexts } from '../list-texts.ts';
import { consoleAddress, definePage, type Visit } from '../console-page.ts';
import { messageScope } from '../messages/message-scope.ts';
import { startTexts } from './start-texts.ts';

/** What needs attention, as far as the person may see it. */
export const startPage = definePage({
  path: '',
  right: undefined,
  menu: 'start',
  load: async ({ database: { reads }, policy }, visit) => {
    const { principal, now, may } = visit;
    const days = expiringDays(now, policy);
    const [domains, messages, money] = await Promise.all([
      may('read') ? countDomainsInNeed(reads, principal, days) : undefined,
      may('read') ? readUnreadMessages(reads, messageScope(visit)) : undefined,
      may('money') ? readMoney() : undefined,
    ]);
    return { domains, messages, money, days };

    async function readMoney() {
      const [account, invoices] = await Promise.all([
        readBalance(reads, principal),
        countUnpaid(reads, principal.registrarId),
      ]);
      return { account, invoices };
    }
  },
  view: ({ domains, messages, money, days }, visit, { policy }) => {
    const texts = startTexts(visit.lang);
    const body = html`<h1>${texts.welcome(visit.session.registrarName)}</h1>
${domains && domainCounts(domains, days, visit)}${messages && unread(messages, visit, policy)}${money && moneyFacts(money, visit)}`;
    return { title: texts.title, body };
  },
});

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

function domainCounts(domains: DomainsInNeed, { fromDay, lastDay }: Days, { lang }: Visit): Html {
  const texts = startTexts(lang);
  const { bounded } = listTexts(lang);
  const kinds = (Object.keys(texts.inNeed) as (keyof DomainsInNeed)[]).filter((kind) => domains[kind] > 0);
  const addressOf = (kind: keyof DomainsInNeed) =>
    consoleAddress(
      '/domains',
      kind === 'expiring' ? { from: fromDay, to: lastDay, sort: 'expire_time' } : { status: kind },
    );
  return html`<h2>${texts.attention}</h2>
${
  kinds.length === 0
    ? html`<p>${texts.nothing}</p>\n`
    : factList(
        kinds.map((kind) => [
          texts.inNeed[kind],
          html`<a href="${addressOf(kind)}" aria-label="${texts.inNeed[kind]}: ${bounded(domains[kind])}">${bounded(domains[kind])}</a>`,
        ]),
      )
}`;
}

function unread({ count, newest }: UnreadMessages, { lang }: Visit, policy: Policy): Html {
  const texts = startTexts(lang);
  return html`<h2>${texts.messages}</h2>
${
  newest === null
    ? html`<p>${texts.noMessages}</p>\n`
    : factList([
        [
          texts.unread,
          html`<a href="${consoleAddress('/messages')}" aria-label="${texts.unread}: ${listTexts(lang).bounded(count)}">${listTexts(lang).bounded(count)}</a>`,
        ],
        [texts.newest, html`${newest.text} <br>${momentIn(lang, new Date(newest.at), policy)}`],
      ])
}`;
}

type Money = {
  readonly account: Balance;
  readonly invoices: UnpaidInvoices;
};

function moneyFacts({ account, invoices }: Money, { lang }: Visit): Html {
  const texts = startTexts(lang);
  const amount = (cents: string) => amountIn(lang, cents, account.currency);
  const { threshold } = account;
  const isLow = threshold !== null && BigInt(account.balance) < BigInt(threshold);
  const counted = (status: keyof UnpaidInvoices) =>
    invoices[status] > 0 &&
    html`<a href="${consoleAddress('/invoices', { status })}" aria-label="${texts[status]}: ${invoices[status]}">${invoices[status]}</a>`;
  return html`<h2>${texts.money}</h2>
${factList([
  [
    texts.balance,
    html`<a href="${consoleAddress('/balance')}">${amount(account.balance)}</a>${isLow && html` <strong class="low">${texts.low(amount(threshold))}</strong>`}`,
  ],
  [texts.debt, account.debt !== null && BigInt(account.debt) > 0n && amount(account.debt)],
  ...(['unpaid', 'failed', 'overdue'] as const).map((status) => [texts[status], counted(status)] as const),
])}`;
}

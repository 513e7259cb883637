import { quotedText } from '../../../platform/paging/text-pattern.ts';
import { Temporal } from 'temporal-polyfill';
import { isMonth } from '../../../billing/statements/find-statements.ts';
import { textOfDay } from '../../../platform/values/dates.ts';
import type { Policy } from '../../../policy/policy.ts';
import { inListTurn } from '../../../registry/list-turns.ts';
import {
  type ChargesByCustomer,
  MAX_CHARGES,
  readChargesByCustomer,
} from '../../../registry/registrars/charges-by-customer.ts';
import { amountIn } from '../../html/amount-in.ts';
import { isolated, monthIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { consoleAddress, definePage, type Visit } from '../console-page.ts';
import { filterDay } from '../filter-text.ts';
import { numberIn } from '../jobs/job-words.ts';
import { customersTexts } from './customers-texts.ts';

const PATH = '/balance/customers';
type Days = { readonly from: string; readonly to: string };

/** What was charged in a month, by customer. Only for those who see both money and customers. */
export const customersPage = definePage({
  path: PATH,
  right: 'money',
  alsoRight: 'read',
  load: async ({ database, policy: { timeZone } }, { principal, now }, { query }) => {
    const present = textOfDay(timeZone, now).slice(0, 7);
    const month = query('month') === '' ? present : query('month');
    if (!isMonth(month)) return undefined;
    const days = daysOf(month);
    const [from, before] = [filterDay(days.from, timeZone), filterDay(days.to, timeZone, 1)];
    if (!from || !before) return undefined;
    const charges = await inListTurn(database, principal, (db) =>
      readChargesByCustomer(db, principal, { from, before }),
    );
    return { month, days, charges, isPresent: month >= present };
  },
  view: ({ month, days, charges, isPresent }, visit, { policy }) => {
    const { lang } = visit;
    const texts = customersTexts(lang);
    const { total, isCut } = charges;
    const amount = (cents: string) => amountIn(lang, cents, policy.currency);
    const body = html`<h1>${texts.title(monthIn(lang, month))}</h1>
<ul class="actions"><li>${monthLink(month, -1, visit)}</li>${!isPresent && html`<li>${monthLink(month, 1, visit)}</li>`}<li><a href="${consoleAddress('/balance', days)}">${texts.each}</a></li></ul>
${isCut && html`<p class="low">${texts.cut(numberIn(MAX_CHARGES, visit))}</p>\n`}${
  total.count === 0
    ? html`<p>${texts.none}</p>\n`
    : html`<p>${texts.total(numberIn(total.count, visit), numberIn(total.customers, visit), amount(total.sum))}</p>
${customerRows(charges, days, visit, policy)}`
}`;
    return { title: texts.title(monthIn(lang, month)), body };
  },
});

function daysOf(month: string): Days {
  const first = Temporal.PlainDate.from(`${month}-01`);
  return { from: first.toString(), to: first.with({ day: first.daysInMonth }).toString() };
}

function monthLink(month: string, months: number, { lang }: Visit): Html {
  const other = Temporal.PlainYearMonth.from(month).add({ months }).toString();
  return html`<a href="${consoleAddress(PATH, { month: other })}">${monthIn(lang, other)}</a>`;
}

function customerRows({ customers }: ChargesByCustomer, days: Days, visit: Visit, policy: Policy): Html {
  const { lang } = visit;
  const texts = customersTexts(lang);
  return table(
    {
      label: texts.label,
      kind: 'list',
      columns: [
        { title: texts.customer },
        { title: texts.code },
        { title: texts.charges, number: true },
        { title: texts.sum, number: true },
      ],
    },
    customers.map(({ code, name, count, sum }) => [
      html`<a href="${consoleAddress('/balance', { about: quotedText(code), ...days })}">${isolated(name ?? code)}</a>`,
      code,
      numberIn(count, visit),
      amountIn(lang, sum, policy.currency),
    ]),
  );
}

import type { OpenInvoice } from '../../../billing/invoices/count-unpaid.ts';
import type { OwnAccount } from '../../../registry/registrars/own-account.ts';
import type { Policy } from '../../../policy/policy.ts';
import { amountIn } from '../../html/amount-in.ts';
import { factList } from '../../html/fact-list.ts';
import { field } from '../../html/form.ts';
import { dayIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { consoleAddress, type Visit } from '../console-page.ts';
import { formButtonTexts } from '../form-button-texts.ts';
import { balanceTexts } from './balance-texts.ts';
import { formTexts } from './form-texts.ts';
import { invoiceAddress } from './invoice-address.ts';
import { invoicesTexts } from './invoices-texts.ts';
import { moneyTexts } from './money-texts.ts';

type MoneyNow = { readonly account: OwnAccount; readonly unpaid: readonly OpenInvoice[] };

/** What there is, what is owed, and how to get more. */
export const balanceCards = ({ account, unpaid }: MoneyNow, visit: Visit, policy: Policy): Html =>
  html`<div class="cards thirds">${accountCard(account, visit)}${invoicesCard(unpaid, visit)}${topUpCard(visit, policy)}</div>
`;

function accountCard(account: OwnAccount, { lang }: Visit): Html {
  const texts = balanceTexts(lang);
  const { balance, debt, lowBalance, topUpAmount, topUpThreshold } = account;
  const amount = (cents: string) => amountIn(lang, cents, account.currency);
  const isLow = lowBalance !== null && BigInt(balance) < BigInt(lowBalance);
  return html`<section class="card"><h2>${moneyTexts(lang).balance}</h2>
<p class="large">${amount(balance)}${isLow && html` <strong class="low">${texts.low(amount(lowBalance))}</strong>`}</p>
${factList([
  [
    moneyTexts(lang).debt,
    BigInt(debt) > 0n && html`<strong class="low">${amount(debt)}</strong> <br>${texts.blocked}`,
  ],
  [texts.warning, lowBalance === null ? texts.notWarned : texts.warnedBelow(amount(lowBalance))],
  [
    texts.automatic,
    topUpAmount === null || topUpThreshold === null
      ? texts.notAutomatic
      : texts.automaticOf(amount(topUpAmount), amount(topUpThreshold)),
  ],
])}<p><a href="${consoleAddress('/balance/settings')}">${texts.change}</a></p>
</section>
`;
}

function invoicesCard(unpaid: readonly OpenInvoice[], { lang }: Visit): Html {
  const texts = balanceTexts(lang);
  return html`<section class="card"><h2>${texts.unpaid}</h2>
${
  unpaid.length === 0
    ? html`<p>${texts.noneUnpaid}</p>\n`
    : html`<ul class="due">${unpaid.map(
        ({
          number,
          status,
          amount,
          currency,
          dueDate,
        }) => html`<li><a href="${invoiceAddress(number)}">${number}</a>
<span${status === 'unpaid' ? html` class="quiet"` : html` class="low"`}>${
          status === 'unpaid' ? texts.due(dayIn(lang, dueDate)) : invoicesTexts(lang).statuses[status]
        }</span> <strong>${amountIn(lang, amount, currency)}</strong></li>\n`,
      )}</ul>\n`
}<p><a href="${consoleAddress('/invoices')}">${texts.allInvoices}</a></p>
</section>
`;
}

/** The first step of the form of that name. */
function topUpCard({ lang }: Visit, { billing, currency }: Policy): Html {
  const texts = formTexts(lang).topUp;
  const hint = texts.amountHint(amountIn(lang, billing.leastTopUp, currency));
  return html`<section class="card"><h2>${balanceTexts(lang).topUp}</h2>
<form method="post" action="${consoleAddress('/balance/top-up')}">
${field({ name: 'amount', label: texts.amount, hint, maxLength: 20 })}<p class="asks"><button name="step" value="preview">${formButtonTexts(lang).preview}</button></p>
</form>
</section>
`;
}

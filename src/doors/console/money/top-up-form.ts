import { orderTopUp, parseTopUp } from '../../../billing/invoices/order-top-up.ts';
import { topUpTerms } from '../../../billing/invoices/issue-top-up.ts';
import type { Cents } from '../../../platform/values/money.ts';
import { actorOf } from '../../../registry/actor.ts';
import { runRegistryTransaction } from '../../../registry/run-registry-operation.ts';
import { amountIn } from '../../html/amount-in.ts';
import { dayIn } from '../../html/language.ts';
import { consoleAddress } from '../console-page.ts';
import { definePreviewed } from '../previewed-form.ts';
import { MONEY_FIELDS } from '../render-refusals.ts';
import { writtenAmount } from './amount-text.ts';
import { formTexts } from './form-texts.ts';
import { invoiceAddress } from './invoice-address.ts';

/** Orders an invoice by which the account is topped up, and leads to it. */
export const topUp = definePreviewed({
  path: '/balance/top-up',
  right: 'money',
  isUnpriced: true,
  names: MONEY_FIELDS,
  load: async ({ provider }) => ({ provider }),
  texts: (_loaded, { lang }) => {
    const { topUp: texts, back } = formTexts(lang);
    const { title, lead, confirm } = texts;
    return { title, lead, confirm, back: { to: consoleAddress('/balance'), text: back } };
  },
  fields: (_loaded, values, { lang }, { policy: { billing, currency } }) => {
    const { amount, amountHint } = formTexts(lang).topUp;
    const hint = amountHint(amountIn(lang, billing.leastTopUp, currency));
    return [{ name: 'amount', label: amount, hint, value: values('amount'), maxLength: 20 }];
  },
  read: (form, { provider }, { policy }) => {
    const parsed = parseTopUp(writtenAmount(form.field('amount')), policy);
    return 'refusals' in parsed ? parsed : { value: { net: parsed.value, provider } };
  },
  run: (database, { net, provider }, context) => {
    const { principal, now, dryRun, policy } = context;
    const order = { registrarId: principal.registrarId, net, actor: actorOf(principal), now, dryRun };
    return runRegistryTransaction(database, context, (db) => orderTopUp(db, { policy, provider }, order));
  },
  preview: ({ net }, _loaded, { lang, now }, { policy }) => {
    const texts = formTexts(lang).topUp;
    const { vat, total, dueDate } = topUpTerms(net, policy, now);
    const money = (cents: Cents) => amountIn(lang, cents, policy.currency);
    return [
      [texts.amount, money(net)],
      [texts.vat(String(policy.billing.vatPercent)), money(vat)],
      [texts.total, money(total)],
      [texts.due, dayIn(lang, dueDate)],
    ];
  },
  stored: ({ number = 0 }) => ({ invoice: { invoice_number: number } }),
  done: ({ invoice }) => ({ to: invoiceAddress(invoice.invoice_number), notice: 'invoiceIssued' }),
});

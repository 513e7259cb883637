import type { Policy } from '../../../policy/policy.ts';
import type { Transaction } from '../../../registry/registrars/find-transactions.ts';
import { amountIn } from '../../html/amount-in.ts';
import { isolated, shortDayIn } from '../../html/language.ts';
import { type Html, type HtmlValue, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import { consoleAddress, type Visit } from '../console-page.ts';
import { balanceTexts } from './balance-texts.ts';
import { invoiceAddress } from './invoice-address.ts';
import { moneyTexts } from './money-texts.ts';

/** Newest first. Who the customers are is told to those who may see them. */
export function transactionRows(rows: readonly Transaction[], visit: Visit, policy: Policy): Html {
  const { lang } = visit;
  const { transactions, columns } = balanceTexts(lang);
  const seesCustomers = visit.may('read');
  const shown = [
    { title: columns.day },
    { title: columns.what },
    ...(seesCustomers ? [{ title: columns.customer }] : []),
    { title: columns.by },
    { title: columns.sum, number: true },
    { title: columns.balance, number: true },
  ];
  return table(
    { label: transactions, columns: shown, kind: 'money' },
    rows.map((row) => [
      shortDayIn(lang, row.at, policy),
      whatOf(row, visit),
      ...(seesCustomers ? [customerOf(row)] : []),
      whoOf(row, visit),
      amountIn(lang, row.sum, policy.currency),
      amountIn(lang, row.balance, policy.currency),
    ]),
  );
}

function whatOf({ kind, charged, description, invoiceNumber }: Transaction, { lang, may }: Visit): HtmlValue {
  const { period, invoice } = balanceTexts(lang);
  const name = moneyTexts(lang).kinds[kind];
  if (charged) {
    const domain = may('read')
      ? html`<a href="${consoleAddress(`/domains/${encodeURIComponent(charged.domain)}`)}">${charged.domain}</a>`
      : html`${charged.domain}`;
    return html`${domain} <span class="quiet">${name}, ${period(charged.months)}</span>`;
  }
  if (invoiceNumber !== null)
    return html`${name}, <a href="${invoiceAddress(invoiceNumber)}">${invoice(invoiceNumber)}</a>`;
  return html`${name}: <span lang="en">${description}</span>`;
}

function customerOf({ charged }: Transaction): HtmlValue {
  if (!charged) return '';
  const { registrant, registrantName } = charged;
  if (registrantName === null) return html`<code>${registrant}</code>`;
  return html`<a href="${consoleAddress(`/contacts/${encodeURIComponent(registrant)}`)}">${isolated(registrantName)}</a>`;
}

function whoOf({ actor }: Transaction, { lang }: Visit): HtmlValue {
  if (actor === null) return balanceTexts(lang).registry;
  return isolated(actor.slice(actor.indexOf(':') + 1));
}

import { usableLink } from '../../../billing/invoices/generate.ts';
import { isPayableByLink } from '../../../billing/invoices/invoice.ts';
import { type InvoiceView, readInvoice } from '../../../billing/invoices/invoice-view.ts';
import type { Policy } from '../../../policy/policy.ts';
import { amountIn } from '../../html/amount-in.ts';
import { factList } from '../../html/fact-list.ts';
import { dayIn, momentIn } from '../../html/language.ts';
import { type Html, html } from '../../html/layout.ts';
import { table } from '../../html/table.ts';
import {
  type ConsoleParts,
  consoleAddress,
  definePage,
  type PageInput,
  type Visit,
} from '../console-page.ts';
import { invoiceAddress } from './invoice-address.ts';
import { invoiceTexts } from './invoice-texts.ts';
import { invoicesTexts } from './invoices-texts.ts';
import { moneyTexts } from './money-texts.ts';

const NUMBER = /^[1-9]\d{0,14}$/;

/** An invoice of the registrar, by the number in the address. */
export async function findInvoice(
  { database }: Pick<ConsoleParts, 'database'>,
  { principal: { registrarId } }: Visit,
  { params: { number = '' } }: PageInput,
): Promise<InvoiceView | undefined> {
  // The primary: it was perhaps issued by the form that leads here.
  return NUMBER.test(number) ? readInvoice(database.reads, Number(number), { registrarId }) : undefined;
}

/** Null where it cannot be paid by a link, or not now. */
export const linkOf = (
  { database, provider }: Pick<ConsoleParts, 'database' | 'provider'>,
  invoice: InvoiceView,
): Promise<string | null> => usableLink(database.reads, provider, invoice);

/** One invoice with everything about it, and the link to pay it. */
export const invoicePage = definePage({
  path: '/invoices/:number',
  right: 'money',
  load: async (parts, visit, input) => {
    const invoice = await findInvoice(parts, visit, input);
    return invoice && { invoice, link: await linkOf(parts, invoice) };
  },
  view: ({ invoice, link }, visit, { policy }) => {
    const texts = invoiceTexts(visit.lang);
    const title = texts.title(invoice.number);
    const address = invoiceAddress(invoice.number);
    const body = html`<h1>${title}</h1>
${facts(invoice, visit, policy)}${payment(invoice, link, visit)}<ul class="actions"><li><a href="${address}/pdf">${moneyTexts(visit.lang).pdf}</a></li>
<li><a href="${address}/ubl">${texts.ubl}</a></li></ul>
<h2>${texts.lines}</h2>
${lines(invoice, visit)}${payments(invoice, visit)}<h2>${texts.changes}</h2>
${changes(invoice, visit, policy)}<p><a href="${consoleAddress('/invoices')}">${texts.back}</a></p>
`;
    return { title, body };
  },
});

function facts(invoice: InvoiceView, { lang }: Visit, policy: Policy): Html {
  const { labels, vat } = invoiceTexts(lang);
  const amount = (cents: string) => amountIn(lang, cents, invoice.currency);
  return factList([
    [labels.status, html`<strong>${invoicesTexts(lang).statuses[invoice.status]}</strong>`],
    [labels.issued, momentIn(lang, invoice.issuedAt, policy)],
    [labels.due, html`<time datetime="${invoice.dueDate}">${dayIn(lang, invoice.dueDate)}</time>`],
    [labels.paid, invoice.paidAt !== null && momentIn(lang, invoice.paidAt, policy)],
    [labels.reference, invoice.referenceNumber],
    [labels.net, amount(invoice.net)],
    [vat(invoice.vatPercent), amount(invoice.vat)],
    [labels.total, amount(invoice.amount)],
  ]);
}

/** A link and no form: the policy of the pages lets no form lead to another site. */
function payment(invoice: InvoiceView, link: string | null, { lang }: Visit): Html | false {
  const texts = invoiceTexts(lang);
  if (link !== null)
    return html`<p><a class="act" href="${link}" rel="noreferrer">${texts.pay}</a></p>
<p class="quiet">${texts.payHint}</p>
`;
  if (invoice.held) return html`<p class="outcome">${texts.held}</p>\n`;
  return isPayableByLink(invoice) && html`<p class="outcome">${texts.unpayable}</p>\n`;
}

function lines({ lines: all, currency }: InvoiceView, { lang }: Visit): Html {
  const texts = invoiceTexts(lang);
  return table(
    { label: texts.lines, columns: texts.lineColumns.map((title, place) => ({ title, number: place > 0 })) },
    all.map(({ description, quantity, net }) => [description, quantity, amountIn(lang, net, currency)]),
  );
}

function payments({ payments: all }: InvoiceView, { lang }: Visit): Html | false {
  const texts = invoiceTexts(lang);
  return (
    all.length > 0 &&
    html`<h2>${texts.payments}</h2>
${table(
  { label: texts.payments, columns: texts.paymentColumns.map((title) => ({ title })) },
  all.map(({ reference, state }) => [html`<code class="digest">${reference}</code>`, state ?? '']),
)}`
  );
}

function changes({ changes: all }: InvoiceView, { lang }: Visit, policy: Policy): Html {
  const texts = invoiceTexts(lang);
  return table(
    { label: texts.changes, columns: texts.changeColumns.map((title) => ({ title })) },
    all.map(({ at, to }) => [momentIn(lang, new Date(at), policy), invoicesTexts(lang).statuses[to]]),
  );
}

import { type Cents, toDecimal } from '../../../platform/values/money.ts';
import { type Html, html, type Piece, page } from '../../pages/layout.ts';
import type { Payment } from './payments.ts';
import type { Simulator } from './simulator.ts';
import { closedStates, paidStates } from './states.ts';

/** What stands to be paid, by whichever kind of link. */
export type Bill = { readonly invoice: string; readonly amount: Cents; readonly payer?: string | undefined };
export type Notice = 'forged' | 'unknown' | 'notUnderstood' | 'fault';

const NOTICES: Readonly<Record<Notice, readonly [heading: string, advice: string]>> = {
  forged: [
    'This payment link is not valid',
    'Its signature is wrong: it was changed on its way, or it was not made by the payee. Nothing was paid. Ask the payee for a new link.',
  ],
  unknown: [
    'There is nothing to pay here',
    'The link is incomplete, or the sandbox was reset since it was made.',
  ],
  notUnderstood: ['The form was not understood', 'Nothing was paid. Go back and press one of the buttons.'],
  fault: ['Something went wrong', 'Whether it was paid is told by the link itself: open it again.'],
};

/** What is to be paid and to whom, with a button for every way in which it can end. */
export function billPage(bill: Bill, simulator: Simulator, last?: Payment): string {
  const amount = inWords(bill.amount, simulator);
  return framed(
    `Pay ${amount}`,
    html`${last?.state === 'failed' && outcome('failed', 'The last attempt was declined.', 'Nothing was paid. You can try again.')}
${facts(bill, simulator)}
<form class="decision" method="post">
<button class="confirm" name="outcome" value="settled">Pay ${amount}</button>
<button name="outcome" value="failed">Decline</button>
<button name="outcome" value="abandoned">Abandon</button>
</form>
<p class="quiet">The payment provider of the sandbox: no money moves. “Decline” is what a bank does that refuses, “Abandon” what happens to a payment that nobody finishes.</p>`,
  );
}

/** What became of a payment; the way back where there is one. */
export function receiptPage(payment: Payment, bill: Bill, simulator: Simulator, back?: string): string {
  const [look, happened, meaning] = receiptOf(payment.state);
  return framed(
    happened,
    html`${outcome(look, `State of the payment: ${payment.state}`, meaning)}
${facts(bill, simulator, payment)}
${back !== undefined && html`<p><a href="${back}" rel="noreferrer">Back to where you came from</a></p>`}`,
  );
}

export function noticePage(notice: Notice): string {
  const [heading, advice] = NOTICES[notice];
  return framed(heading, html`<p class="lead">${advice}</p>`);
}

export const isClosed = ({ state }: Payment): boolean => closedStates.includes(state);

function receiptOf(state: string): readonly [look: string, happened: string, meaning: string] {
  if (state === 'settled') return ['confirmed', 'The invoice is paid', 'Nothing more is to be done.'];
  if (paidStates.includes(state))
    return ['lapsed', 'The invoice was paid', 'The money went back since, in part or in whole.'];
  if (state === 'failed')
    return ['failed', 'The payment was declined', 'Nothing was paid. The same link can be tried again.'];
  if (closedStates.includes(state)) return ['failed', 'The payment was abandoned', 'Nothing was paid.'];
  return ['lapsed', 'The payment is under way', 'The bank has not confirmed it yet.'];
}

const inWords = (amount: Cents, { currency }: Simulator): string => `${toDecimal(amount)} ${currency}`;

function facts({ invoice, amount, payer }: Bill, simulator: Simulator, payment?: Payment): Html {
  const rows: readonly (readonly [string, Piece])[] = [
    ['Payee', html`<bdi>${simulator.payee}</bdi>`],
    ['Invoice', html`<bdi>${invoice}</bdi>`],
    ['Amount', inWords(payment?.initialAmount ?? amount, simulator)],
    ['Payer', payer !== undefined && payer !== '' && html`<bdi>${payer}</bdi>`],
    ['Payment reference', payment && html`<code>${payment.reference}</code>`],
  ];
  const shown = rows.filter(([, value]) => value !== false && value !== undefined);
  return html`<dl class="asked">${shown.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

const outcome = (look: string, happened: string, meaning: string): Html =>
  html`<div class="outcome ${look}"><p>${happened}</p><p>${meaning}</p></div>`;

const framed = (heading: string, body: Html): string =>
  page({
    title: `${heading} · Payment provider of the sandbox`,
    lang: 'en',
    badge: 'Sandbox',
    body: html`<h1 class="names">${heading}</h1>\n${body}`,
  });

import { type Cents, toDecimal } from '../../platform/values/money.ts';
import { typeface } from '../pdf/sheet.ts';
import type { Status } from './invoice.ts';

/** Both languages appear on one document: one for the seller's accountant, one for buyers abroad. */
export const labels = {
  invoice: 'Arve / Invoice',
  registryCode: 'Registrikood / Reg. code',
  vatNumber: 'KMKR nr / VAT no.',
  buyer: 'Ostja / Buyer',
  issuedOn: 'Arve kuupäev / Invoice date',
  dueDate: 'Maksetähtpäev / Due date',
  paidOn: 'Tasutud / Paid on',
  referenceNumber: 'Viitenumber / Reference number',
  description: 'Kirjeldus / Description',
  quantity: 'Kogus / Quantity',
  lineNet: 'Summa / Net',
  net: 'Summa käibemaksuta / Net total',
  vat: 'Käibemaks / VAT',
  toPay: 'Tasuda / To pay',
  total: 'Kokku / Total',
  payment: 'Tasumine / Payment',
  beneficiary: 'Saaja / Beneficiary',
  explanation: 'Selgitus / Details',
  payOnline: 'Maksa veebis / Pay online',
  paymentPage: 'Ava makseleht / Open the payment page:',
  electronic:
    'Arve on koostatud elektrooniliselt ja kehtib allkirjata. / Issued electronically, valid unsigned.',
  page: 'Leht / Page',
};

export const statusMarks: Record<Status, { readonly text: string; readonly colour: string }> = {
  unpaid: { text: 'TASUMATA / UNPAID', colour: '#8a5a00' },
  paid: { text: 'TASUTUD / PAID', colour: '#1b6e3c' },
  failed: { text: 'MAKSE EBAÕNNESTUS / PAYMENT FAILED', colour: '#a32020' },
  cancelled: { text: 'TÜHISTATUD / CANCELLED', colour: '#5b6470' },
  overdue: { text: 'TÄHTAEG ÜLETATUD / OVERDUE', colour: '#a32020' },
  refunded: { text: 'TAGASTATUD / REFUNDED', colour: '#5b6470' },
};

/** 1234567 cents are "12 345.67", a format common to both languages. */
export function amountText(cents: Cents): string {
  const [whole = '', fraction] = toDecimal(cents < 0n ? -cents : cents).split('.');
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
  return `${cents < 0n ? '-' : ''}${groups.join(' ')}.${fraction}`;
}

/** 2026-03-09 is "09.03.2026". */
export function dayText(day: string): string {
  return day.split('-').reverse().join('.');
}

/** In groups of four. */
export function ibanText(iban: string): string {
  return iban.replace(/.{4}(?=.)/g, '$& ');
}

const SPACES = /[\p{Cc}\p{Z}]+/gu;
/** Invisible characters such as joiners, soft hyphens and direction marks, which can reorder the text around them. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const HEAP_OF_MARKS = /(\p{M}{3})\p{M}+/gu;

/**
 * External text in printable form: one line, at most so many characters, and U+FFFD for what the typeface lacks.
 * Nothing above U+FFFF is printed, because a line break could split a surrogate pair.
 */
export function printable(text: string, most: number): string {
  // Stacked combining marks are removed first: normalizing them takes quadratic time.
  const seen = text
    .slice(0, most * 8)
    .toWellFormed()
    .replace(HEAP_OF_MARKS, '$1')
    .normalize('NFC');
  const tidy = seen.replace(SPACES, ' ').replace(INVISIBLE, '').trim();
  const { has } = typeface();
  const known = Array.from(tidy, (letter) => {
    const codePoint = letter.codePointAt(0) ?? 0;
    return codePoint <= 0xffff && has.has(codePoint) ? letter : '\ufffd';
  });
  return known.length <= most ? known.join('') : `${known.slice(0, most - 1).join('')}…`;
}

import { isReferenceNumber } from '../../billing/invoices/reference-numbers.ts';
import { parseDay } from '../../platform/values/dates.ts';
import { parseAmount, parseSignedAmount } from '../../platform/values/money.ts';
import { countries } from '../../policy/countries.ts';

const INVOICE_NUMBER = /^[1-9]\d{0,14}$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/;

/** Formats that schemas can require of a text or a number. */
export const formats = {
  amount: { type: 'string', validate: (text: string) => parseAmount(text) !== undefined },
  'signed-amount': { type: 'string', validate: (text: string) => parseSignedAmount(text) !== undefined },
  'invoice-number': { type: 'string', validate: (text: string) => INVOICE_NUMBER.test(text) },
  'reference-number': { type: 'string', validate: isReferenceNumber },
  email: { type: 'string', validate: (text: string) => EMAIL.test(text.replaceAll(' ', '')) },
  iban: { type: 'string', validate: (text: string) => IBAN.test(text.replaceAll(' ', '').toUpperCase()) },
  country: { type: 'string', validate: (text: string) => countries.has(text.toUpperCase()) },
  day: { type: 'string', validate: (text: string) => parseDay(text.slice(0, 10)) !== undefined },
} as const;

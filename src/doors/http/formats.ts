import { parseDay } from '../../platform/values/dates.ts';
import { countries } from '../../policy/countries.ts';

/** A decimal with at most two digits after the point. */
const AMOUNT = /^\d{1,10}(?:\.\d{1,2})?$/;
const SIGNED_AMOUNT = /^-?\d{1,10}(?:\.\d{1,2})?$/;
const INVOICE_NUMBER = /^[1-9]\d{0,14}$/;
const EMAIL = /^[^\s@]+@[^\s@]+$/;
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/;

/** Formats that schemas can require of a text or a number. */
export const formats = {
  amount: { type: 'string', validate: (text: string) => AMOUNT.test(text) },
  'signed-amount': { type: 'string', validate: (text: string) => SIGNED_AMOUNT.test(text) },
  'invoice-number': { type: 'string', validate: (text: string) => INVOICE_NUMBER.test(text) },
  email: { type: 'string', validate: (text: string) => EMAIL.test(text.replaceAll(' ', '')) },
  iban: { type: 'string', validate: (text: string) => IBAN.test(text.replaceAll(' ', '').toUpperCase()) },
  country: { type: 'string', validate: (text: string) => countries.has(text.toUpperCase()) },
  day: { type: 'string', validate: (text: string) => parseDay(text.slice(0, 10)) !== undefined },
} as const;

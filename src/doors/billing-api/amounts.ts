import type { Refusal } from '../../operations/refusal.ts';
import { parseMoment } from '../../platform/values/dates.ts';
import { type Cents, parseAmount } from '../../platform/values/money.ts';
import { formats } from '../http/formats.ts';
import { invalid } from './endpoint.ts';

/** Plausible years of a payment; the lexical format allows years that calendars and PostgreSQL do not. */
const YEARS = { first: 1900, last: 2999 } as const;

const isTextOrNumber = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** Cents of a decimal with at most two digits after the point. */
export function readAmount(value: unknown): Cents | undefined {
  return isTextOrNumber(value) ? parseAmount(String(value)) : undefined;
}

export const readInvoiceNumber = (value: unknown): number | undefined =>
  isTextOrNumber(value) && formats['invoice-number'].validate(String(value)) ? Number(value) : undefined;

export function readTime(value: unknown): Date | undefined {
  const time = typeof value === 'string' ? parseMoment(value) : undefined;
  const year = time?.getUTCFullYear() ?? 0;
  return year >= YEARS.first && year <= YEARS.last ? time : undefined;
}

/** Checks that the amount is above zero, which the schema cannot express. */
export function positiveAmount(text: string | undefined): { amount: Cents; wrong: Refusal[] } {
  const amount = readAmount(text) ?? 0n;
  const isWrong = text !== undefined && amount === 0n;
  return { amount, wrong: isWrong ? [invalid('transaction_amount', 'must be above zero')] : [] };
}

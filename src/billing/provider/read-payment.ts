import { type Cents, parseDecimal } from '../../platform/values/money.ts';
import type { Answer } from './exchange.ts';
import type { ProviderPayment } from './provider.ts';

/** As many digits as a number of JSON can hold exactly. */
const AMOUNT = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/** Undefined where something is missing, or where it tells of another payment than the one asked about. */
export function readPayment(answer: Answer, reference: string): ProviderPayment | undefined {
  const orderReference = textOf(answer, 'order_reference');
  const state = textOf(answer, 'payment_state');
  const accountName = textOf(answer, 'account_name');
  const initialAmount = readAmount(answer.initial_amount);
  const standingAmount = readAmount(answer.standing_amount);
  if (answer.payment_reference !== reference) return undefined;
  if (orderReference === undefined || state === undefined || accountName === undefined) return undefined;
  if (initialAmount === undefined || standingAmount === undefined) return undefined;
  return { reference, orderReference, state, initialAmount, standingAmount, accountName, answer };
}

/** Money as the wire writes it: 20, 20.5 and 20.50, a number or a text; more than two decimals are no money. */
export function readAmount(value: unknown): Cents | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  // The shortest text of such a number is the one it was read from.
  const match = AMOUNT.exec(String(value));
  return match ? parseDecimal(`${match[1]}.${(match[2] ?? '').padEnd(2, '0')}`) : undefined;
}

export function textOf(answer: Answer, name: string): string | undefined {
  const value = answer[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

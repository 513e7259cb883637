import type { Cents } from '../../platform/values/money.ts';

export type Split = { readonly net: Cents; readonly vat: Cents };

/** Percentages have up to two decimals. */
const hundredths = (percent: number): bigint => BigInt(Math.round(percent * 100));
const WHOLE = 10_000n;

/** Rounds half up. */
export const divide = (dividend: bigint, divisor: bigint): bigint =>
  (2n * dividend + divisor) / (2n * divisor);

/** The net part of a gross amount. */
export function splitGross(gross: Cents, percent: number): Split {
  const net = divide(gross * WHOLE, WHOLE + hundredths(percent));
  return { net, vat: gross - net };
}

export function addVat(net: Cents, percent: number): Split {
  return { net, vat: divide(net * hundredths(percent), WHOLE) };
}

/**
 * The net part of a portion of an invoice. However a payment moves from zero to the whole and back, the differences of
 * these parts add up to the invoice's own net amount.
 */
export function netPart(
  part: Cents,
  { net, amount }: { readonly net: Cents; readonly amount: Cents },
): Cents {
  return divide(part * net, amount);
}

/** A sum in equal parts of whole cents; those that take one of the cents left over come first. */
export function spreadEvenly(sum: Cents, count: number): Cents[] {
  const [each, rest] = [sum / BigInt(count), sum % BigInt(count)];
  return Array.from({ length: count }, (_, index) => (BigInt(index) < rest ? each + 1n : each));
}

import type { Cents } from '../../platform/values/money.ts';

export type Split = { readonly net: Cents; readonly vat: Cents };

/** Percents have up to two digits behind the point. */
const hundredths = (percent: number): bigint => BigInt(Math.round(percent * 100));
const WHOLE = 10_000n;

/** Half a cent goes up. */
const divide = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor);

/** What of an amount with VAT is net. */
export function splitGross(gross: Cents, percent: number): Split {
  const net = divide(gross * WHOLE, WHOLE + hundredths(percent));
  return { net, vat: gross - net };
}

export function addVat(net: Cents, percent: number): Split {
  return { net, vat: divide(net * hundredths(percent), WHOLE) };
}

/**
 * What is net of a part of an invoice. Whatever steps lead from nothing to the whole and back, the differences of these
 * parts add up to the invoice's own net amount.
 */
export function netPart(
  part: Cents,
  { net, amount }: { readonly net: Cents; readonly amount: Cents },
): Cents {
  return divide(part * net, amount);
}

import type { Cents } from '../../platform/values/money.ts';
import type { DocumentLine, InvoiceDocument } from './documents.ts';

export type PricedLine = {
  readonly description: string;
  readonly quantity: number;
  /** Of one piece, before tax. */
  readonly price: Cents;
  readonly net: Cents;
  readonly vat: Cents;
};

/**
 * The lines with the price of a piece and their part of the tax, in whole cents and such that all of it adds up. Where a
 * piece has no whole price the line is one piece, and where the tax cannot be divided the last line takes the rest.
 */
export function pricedLines({ lines, net, vat }: InvoiceDocument): PricedLine[] {
  let left = vat;
  return lines.map((line, index) => {
    const part = index === lines.length - 1 ? left : net === 0n ? 0n : (vat * line.net) / net;
    left -= part;
    return { ...pieces(line), net: line.net, vat: part };
  });
}

function pieces({ description, quantity, net }: DocumentLine): Omit<PricedLine, 'net' | 'vat'> {
  const count = BigInt(quantity);
  return net % count === 0n
    ? { quantity, price: net / count, description }
    : { quantity: 1, price: net, description: `${description} (${quantity} ×)` };
}

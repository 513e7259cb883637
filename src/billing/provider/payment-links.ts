import { createHmac, timingSafeEqual } from 'node:crypto';
import { toDecimal } from '../../platform/values/money.ts';
import type { LinkOrder } from './provider.ts';

export type LinkKey = { readonly secret: string; readonly linkToken: string };

const SIGNATURE = '&hmac=';

/** A URL that starts a payment of an order that the provider does not know yet. */
export function signedLink(linkUrl: string, order: LinkOrder, { secret, linkToken }: LinkKey): string {
  const query = canonicalQuery(membersOf(order, linkToken));
  return `${linkUrl}?${query}${SIGNATURE}${signatureOf(query, secret)}`;
}

/** The parameters of a link with a valid signature, which covers the query as sent; the signature comes last. */
export function verifiedLink(query: string, secret: string): URLSearchParams | undefined {
  const at = query.lastIndexOf(SIGNATURE);
  if (at < 0) return undefined;
  const signed = query.slice(0, at);
  const given = Buffer.from(query.slice(at + SIGNATURE.length));
  const right = Buffer.from(signatureOf(signed, secret));
  return given.length === right.length && timingSafeEqual(given, right)
    ? new URLSearchParams(signed)
    : undefined;
}

/**
 * Form encoding with sorted names, but a space as %20, since a plus is decoded inconsistently and would break the
 * signature.
 */
export function canonicalQuery(members: Readonly<Record<string, string | null>>): string {
  const sorted = Object.entries(members)
    .map(([name, value]): [string, string] => [name, value ?? ''])
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return new URLSearchParams(sorted).toString().replaceAll('+', '%20');
}

const signatureOf = (query: string, secret: string): string =>
  createHmac('sha256', secret).update(query).digest('hex');

const membersOf = (order: LinkOrder, linkToken: string): Record<string, string | null> => ({
  custom_field_1: order.customField1,
  custom_field_2: order.customField2,
  customer_email: order.customerEmail,
  customer_name: order.customerName,
  invoice_number: String(order.invoiceNumber),
  linkpay_token: linkToken,
  order_reference: String(order.invoiceNumber),
  reference_number: order.referenceNumber,
  transaction_amount: toDecimal(order.amount),
});

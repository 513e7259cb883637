import { readAmount } from '../../../billing/provider/everypay.ts';
import { canonicalQuery, verifiedLink } from '../../../billing/provider/payment-links.ts';
import type { Cents } from '../../../platform/values/money.ts';
import type { Simulator } from './simulator.ts';

/** The content of a signed link. */
export type SignedOrder = {
  readonly orderReference: string;
  readonly invoiceNumber: string;
  readonly amount: Cents;
  readonly email: string | null;
  readonly customerData: Readonly<Record<string, string>>;
};

/** Undefined if the signature is wrong, or if it does not sign an order of this merchant. */
export function readSignedLink(query: string, { secret, linkToken }: Simulator): SignedOrder | undefined {
  const members = possibleQueries(query)
    .map((way) => verifiedLink(way, secret))
    .find((verified) => verified !== undefined);
  if (!members || members.get('linkpay_token') !== linkToken) return undefined;
  const orderReference = members.get('order_reference') ?? '';
  const amount = readAmount(members.get('transaction_amount'));
  if (orderReference === '' || amount === undefined || amount === 0n) return undefined;
  const { linkpay_token: _, transaction_amount: __, ...customerData } = Object.fromEntries(members);
  return {
    orderReference,
    invoiceNumber: members.get('invoice_number') || orderReference,
    amount,
    email: members.get('customer_email') || null,
    customerData,
  };
}

/**
 * Programs that forward a link may rewrite it: unescape it, or encode a space as a plus. The link is unchanged if the
 * canonical query has the signature.
 */
function possibleQueries(query: string): string[] {
  const reencoded = (text: string) => {
    const { hmac = '', ...members } = Object.fromEntries(new URLSearchParams(text));
    return `${canonicalQuery(members)}&hmac=${hmac}`;
  };
  return [query, reencoded(query), reencoded(query.replaceAll('+', '%2B'))];
}

/** The reference in the address of a one-off payment. */
export function referenceIn(link: string): string | undefined {
  return /\/pay\/([0-9a-f]{64})(?:[?#]|$)/.exec(link)?.[1];
}

/** The query string; empty if there is none. */
export function queryOf(link: string): string {
  const at = link.indexOf('?');
  return at < 0 ? '' : (link.slice(at + 1).split('#', 1)[0] ?? '');
}

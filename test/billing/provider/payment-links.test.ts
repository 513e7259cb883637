import { describe, expect, test } from 'vitest';
import { canonicalQuery, signedLink, verifiedLink } from '../../../src/billing/provider/payment-links.ts';
import type { LinkOrder } from '../../../src/billing/provider/provider.ts';

const SECRET = 'test-secret';
const KEY = { secret: SECRET, linkToken: 'testtoken' };
/** Vectors of two other implementations. */
const QUERY =
  'custom_field_1=5e03f248-6&custom_field_2=business_registry&customer_email=&customer_name=Mari%20%C3%95un%20O%C3%9C&invoice_number=160523&linkpay_token=testtoken&order_reference=160523&reference_number=&transaction_amount=20.0';
const HMAC = '345f21fbf7d15cdf9408278ff0d1163c3692135f02684af0e1a440703c98f69a';

const order: LinkOrder = {
  invoiceNumber: 160523,
  amount: 2000n,
  customerName: 'Mari Õun OÜ',
  customerEmail: null,
  customField1: '5e03f248-6',
  customField2: 'business_registry',
  referenceNumber: null,
};
const queryOf = (link: string) => link.slice(link.indexOf('?') + 1);

describe('a signed payment link', () => {
  test('success: the query and the signature of another implementation are verified', () => {
    const members = verifiedLink(`${QUERY}&hmac=${HMAC}`, SECRET);
    expect(members && Object.fromEntries(members)).toMatchObject({
      customer_name: 'Mari Õun OÜ',
      customer_email: '',
      order_reference: '160523',
      transaction_amount: '20.0',
    });
  });

  test('success: names are sorted, what is missing is empty, a space is %20 and an amount has two decimals', () => {
    const link = signedLink('https://provider.example/lp', order, KEY);
    const [head, hmac] = link.split('&hmac=');
    expect(head).toBe(`https://provider.example/lp?${QUERY}0`);
    expect(hmac).toMatch(/^[0-9a-f]{64}$/);
    expect(verifiedLink(queryOf(link), SECRET)?.get('transaction_amount')).toBe('20.00');
  });

  test('success: with the amount text of the other implementation the signature is the same', () => {
    const members = Object.fromEntries(new URLSearchParams(QUERY));
    expect(canonicalQuery(members)).toBe(QUERY);
  });

  test.each(['a&b=c', 'a+b', '100 %', '&hmac=', 'õ=ä?#', "O'Neil*~", '😀'])(
    'success: %j round-trips',
    (customerName) => {
      const query = queryOf(signedLink('https://provider.example/lp', { ...order, customerName }, KEY));
      expect(query).not.toContain('+');
      expect(verifiedLink(query, SECRET)?.get('customer_name')).toBe(customerName);
      expect([...(verifiedLink(query, SECRET) ?? [])]).toHaveLength(9);
    },
  );

  test.each([
    ['an amount that was changed', `${QUERY.replace('20.0', '2.00')}&hmac=${HMAC}`],
    ['an appended parameter', `${QUERY}&hmac=${HMAC}&transaction_amount=1`],
    ['a second signature', `${QUERY}&hmac=${HMAC}&hmac=${HMAC}`],
    ['another order of the same members', `${QUERY.split('&').reverse().join('&')}&hmac=${HMAC}`],
    ['capitals', `${QUERY}&hmac=${HMAC.toUpperCase()}`],
    ['a short signature', `${QUERY}&hmac=${HMAC.slice(1)}`],
    ['characters of another length in bytes', `${QUERY}&hmac=${'õ'.repeat(64)}`],
    ['an empty signature', `${QUERY}&hmac=`],
    ['none', QUERY],
    ['nothing', ''],
  ])('failure: %s', (_what, query) => {
    expect(verifiedLink(query, SECRET)).toBeUndefined();
  });

  test('failure: another key', () => {
    expect(verifiedLink(`${QUERY}&hmac=${HMAC}`, 'other-secret')).toBeUndefined();
  });
});

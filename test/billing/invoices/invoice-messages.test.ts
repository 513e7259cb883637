import { expect, test } from 'vitest';
import { invoiceMessages } from '../../../src/billing/invoices/invoice-messages.ts';
import { invoiceOf } from '../../support/invoices.ts';

const bodyOf = (answer: Readonly<Record<string, unknown>>) => {
  const payment = { reference: 'r-1', state: 'settled', answer };
  const [message] = invoiceMessages({
    id: '1',
    invoice: invoiceOf(),
    to: 'paid',
    at: new Date(0),
    payment,
  });
  return message?.body ?? '';
};

test.each([
  [20, '20.00'],
  [20.1, '20.10'],
  ['20.5', '20.50'],
  [0, '0.00'],
  [undefined, null],
  [null, null],
  [20.123, null],
])('success: the amount %s of the provider is reported as %s', (amount, text) => {
  const body = JSON.parse(
    bodyOf({ initial_amount: amount, standing_amount: amount, payment_method: 'card' }),
  );
  expect([body.initial_amount, body.standing_amount]).toEqual([text, text]);
  expect([body.transaction_amount, body.payment_method]).toEqual(['124.00', 'card']);
});

test('success: no amount of a message is a number', () => {
  const body = bodyOf({ initial_amount: 124, standing_amount: 123.5 });
  expect(body).not.toMatch(/_amount":\s*-?\d/);
});

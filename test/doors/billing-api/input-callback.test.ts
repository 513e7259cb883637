import { expect, test } from 'vitest';
import { READABLE, readCallback } from '../../support/reading.ts';

test.each([
  '',
  'event_name=status_updated',
  'something=else',
  'order_reference=150005',
  `payment_reference=${'f'.repeat(128)}&event_name=${'e'.repeat(200)}`,
  'payment_reference=a&event_name=Something%20new%3B%20%C3%B5&order_reference=7&order_reference=1&x[]=1',
])('success: "%s" can be read', (query) => {
  expect(readCallback(query)).toBe(READABLE);
});

test.each([
  ['a reference twice', 'payment_reference=a&payment_reference=b', 'payment_reference'],
  ['the same reference twice', 'payment_reference=a&payment_reference=a', 'payment_reference'],
  ['an event twice', 'event_name=refunded&event_name=voided', 'event_name'],
  ['an array', 'payment_reference[]=a', 'payment_reference'],
  ['an escaped array', 'payment_reference%5B%5D=a', 'payment_reference'],
  ['an array index', 'payment_reference[0]=a', 'payment_reference'],
  ['an object', 'payment_reference[gt]=a', 'payment_reference'],
  ['an array of events', 'event_name[]=refunded', 'event_name'],
  ['129 characters', `payment_reference=${'a'.repeat(129)}`, 'payment_reference'],
  ['a slash', 'payment_reference=../refund', 'payment_reference'],
  ['an escaped slash', 'payment_reference=a%2Fb', 'payment_reference'],
  ['a quote', "payment_reference=a'b", 'payment_reference'],
  ['a space', 'payment_reference=a%20b', 'payment_reference'],
  ['a NUL', 'payment_reference=a%00', 'payment_reference'],
  ['a line end', 'payment_reference=a%0A', 'payment_reference'],
  ['a question mark', 'payment_reference=a?b', 'payment_reference'],
  ['characters beyond ASCII', 'payment_reference=%C3%B5un', 'payment_reference'],
  ['malformed escapes', 'payment_reference=%E0%A4%A', 'payment_reference'],
  ['a NUL in the event', 'event_name=a%00b', 'event_name'],
  ['an event of 201 characters', `event_name=${'e'.repeat(201)}`, 'event_name'],
])('failure: 400 for %s', (_what, query, field) => {
  expect(readCallback(query)).toEqual({ status: 400, body: { error: `${field} cannot be read` } });
});

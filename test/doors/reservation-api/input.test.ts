import { describe, expect, test } from 'vitest';
import { requireOrganizationName } from '../../../src/doors/reservation-api/names.ts';
import { isUserUniqueId } from '../../../src/doors/reservation-api/reservations.ts';
import { ee } from '../../../src/policy/ee.ts';
import { refusalsOf } from '../../support/decisions.ts';
import { READABLE, readForPortal } from '../../support/reading.ts';

/** The input of the calls of the portal, as rows: schema and parser are called directly. */
const refused = (status: number, error: string) => ({ status, body: { error } });
const WRONG_NAMES = refused(
  400,
  'Invalid parameter: domain_names must be a non-empty array of valid domain names',
);
const WRONG_ID = refused(400, 'Invalid parameter: user_unique_id');

describe.each(['reserveNames', 'orderReservation'])('%s', (id) => {
  const read = (domain_names: unknown, members: object = {}) =>
    readForPortal(id, { body: { domain_names, ...members } });

  test('success: names in any spelling, twenty of them, and unknown members', () => {
    expect(read(['ÕIGEKEEL.ee', 'O\u0303igekeel.ee', 'xn--igekeel-00a.ee', '-.ee', 'кафе.ee', 'foo'])).toBe(
      READABLE,
    );
    expect(read(Array(20).fill('a.ee'), { other: [{}] })).toBe(READABLE);
    expect(read(['x'.repeat(5000)])).toBe(READABLE);
  });

  test.each<[string, unknown]>([
    ['no member', undefined],
    ['null', null],
    ['an empty list', []],
    ['a text', 'foo.ee'],
    ['an object', { 0: 'foo.ee' }],
    ['a list in a list', [['foo.ee']]],
    ['a number in the list', ['foo.ee', 5]],
    ['null in the list', [null]],
    ['an empty name', ['foo.ee', '']],
    ['a blank name', [' ']],
    ['a name of a letter that shows nothing', ['\u3164']],
    ['a blank in a name', ['fo o.ee']],
    ['a blank before a name', [' foo.ee']],
    ['a blank behind a name', ['foo.ee', 'bar.ee ']],
    ['a line end behind a name', ['foo.ee\n']],
    ['a no-break space behind a name', ['foo.ee\u00a0']],
    ['an underscore', ['foo_bar.ee']],
    ['a slash', ['foo.ee/']],
    ['a line end', ['foo\n.ee']],
    ['markup', ['<b>.ee']],
  ])('failure: 400 for %s instead of names', (_what, names) => {
    expect(read(names)).toEqual(WRONG_NAMES);
  });

  test.each([[null], [5], ['foo.ee'], [[]], [['foo.ee']], [undefined]])(
    'failure: 400 for the body %j',
    (body) => {
      expect(readForPortal(id, { body })).toEqual(WRONG_NAMES);
    },
  );

  test('failure: 422 for 21 names, before the names are checked', () => {
    expect(read(Array(21).fill('?'))).toEqual(
      refused(422, 'The maximum number of domain names per request is 20'),
    );
  });
});

describe('the id of a free reservation that is taken over', () => {
  const read = (user_unique_id: unknown) =>
    readForPortal('orderReservation', { body: { domain_names: ['a.ee'], user_unique_id } });

  test.each([[undefined], [null], [''], ['aaaaaaaaaa'], ['A_-9zzzzzz']])('success: %j', (id) => {
    expect(read(id)).toBe(READABLE);
  });

  test.each<[unknown]>([['short'], [5], [['aaaaaaaaaa']], ['aaaaaaaaa!'], ['a'.repeat(11)], [{}]])(
    'failure: %j',
    (id) => {
      expect(read(id)).toEqual(WRONG_ID);
    },
  );

  test('success: the free call ignores it', () => {
    expect(readForPortal('reserveNames', { body: { domain_names: ['a.ee'], user_unique_id: 5 } })).toBe(
      READABLE,
    );
  });

  test.each(['short', 'x'.repeat(300), '\0', "' or true--", 'aaaaaaaaaõ', 'aaaaaaaaaa\n', ''])(
    'failure: %j is malformed',
    (id) => {
      expect(isUserUniqueId(id)).toBe(false);
    },
  );
});

describe.each(['readOrder', 'printInvoice'])('%s', (id) => {
  test('success: a number and an id of any form', () => {
    for (const query of [
      'invoice_number=1&user_unique_id=x',
      `invoice_number=${'9'.repeat(40)}&user_unique_id=%00`,
    ])
      expect(readForPortal(id, { query })).toBe(READABLE);
  });

  test.each([
    [''],
    ['invoice_number=150005'],
    ['user_unique_id=aaaaaaaaaa'],
    ['invoice_number=&user_unique_id='],
    ['invoice_number=abc&user_unique_id=aaaaaaaaaa'],
    ['invoice_number=-1&user_unique_id=aaaaaaaaaa'],
    ['invoice_number=1&invoice_number=2&user_unique_id=aaaaaaaaaa'],
    ['invoice_number[]=1&user_unique_id=aaaaaaaaaa'],
    ['invoice_number=1&user_unique_id=aaaaaaaaaa&user_unique_id=b'],
  ])('failure: 400 for the query "%s"', (query) => {
    expect(readForPortal(id, { query })).toEqual(
      refused(400, 'Invalid parameters: invoice_number and user_unique_id are required'),
    );
  });
});

describe('the buyer on a printed invoice', () => {
  const read = (query: string) =>
    readForPortal('printInvoice', { query: `invoice_number=1&user_unique_id=aaaaaaaaaa&${query}` });

  test.each(['', 'customer_name=', 'customer_name=Kohvik%20%C3%95nn', `customer_name=${'x'.repeat(255)}`])(
    'success: "%s"',
    (query) => {
      expect(read(query)).toBe(READABLE);
    },
  );

  test.each([
    'customer_name=a&customer_name=b',
    `customer_name=${'x'.repeat(256)}`,
    'customer_name=a%00b',
    'customer_name=a%0Ab',
  ])('failure: 400 for %s', (query) => {
    expect(read(query)).toEqual(refused(400, 'Invalid parameter: customer_name'));
  });
});

describe('the name of an organisation', () => {
  test.each([
    ['words', 'Test Company AS', 'Test Company AS'],
    ['every encoding of a letter is one character', 'O\u0303nn', 'Õnn'],
    [
      'a hundred characters, half of them in two parts',
      `${'o\u0303'.repeat(50)}${'x'.repeat(50)}`,
      'õ'.repeat(50) + 'x'.repeat(50),
    ],
    ['a hundred characters', 'x'.repeat(100), 'x'.repeat(100)],
    ['another script', 'Кафе OÜ', 'Кафе OÜ'],
    ['hyphens', '---', '---'],
  ])('success: %s', (_what, text, name) => {
    expect(requireOrganizationName(text, ee)).toBe(name);
  });

  test.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['a letter that shows nothing', '\u3164'],
    ['101 characters', 'x'.repeat(101)],
    ['101 characters, one of them a blank', `${'x'.repeat(100)} `],
    ['an ampersand', 'Foo & Bar'],
    ['a full stop', 'Foo.ee'],
    ['an apostrophe', "O'Reilly"],
    ['an underscore', 'foo_bar'],
    ['a slash', 'foo/bar'],
    ['a percent sign', '100%'],
    ['a NUL', 'foo\0bar'],
    ['an emoji', 'Foo 😀'],
    ['markup', '<script>'],
  ])('failure: %s', (_what, name) => {
    expect(refusalsOf(() => requireOrganizationName(name, ee))).toEqual([['invalidOrganizationName', null]]);
  });
});

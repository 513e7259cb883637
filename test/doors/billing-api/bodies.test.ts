import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BillingReply, call, tokenOf } from '../../support/billing.ts';
import { withoutTrace } from '../../support/books.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let token: string;
beforeAll(async () => {
  registry = await startRegistry();
  token = await tokenOf('auction');
});
afterAll(() => registry.stop());

const GENERATOR = '/invoice_generator';
const paths = [
  ...[
    'bulk_payment',
    'deposit_prepayment',
    'deposit_status',
    'invoice_generator',
    'invoice_number_generator',
  ],
  ...['invoice_status', 'oneoff', 'reference_number_generator'],
]
  .map((name) => `${GENERATOR}/${name}`)
  .concat('/directo/directo', '/e_invoice/e_invoice');
const imports = ['/import_data/invoice_data', '/import_data/reference_data'];

const send = (path: string, body: string | Uint8Array, type = 'application/json'): Promise<BillingReply> =>
  call(`${registry.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: body as string,
  });
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe.each([...paths, ...imports])('failure: what POST %s cannot read', (path) => {
  test.each<[string, string | Uint8Array]>([
    ['no JSON', '{"invoice_number":'],
    ['a word', 'paid'],
    ['two values', '{}{}'],
    ['a form', 'invoice_number=150005&status=paid'],
    ['a trailing comma', '{"a":1,}'],
    ['a NUL byte', '{"owner":"a\0b"}'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['a byte order mark of another encoding', Buffer.from('\ufeff{}', 'utf16le')],
    ['arrays 100,000 deep', deep(100_000)],
    ['objects 33 deep', nested(33)],
  ])('failure: %s', async (_what, body) => {
    const reply = await withoutTrace(registry, () => send(path, body));
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ error: expect.any(String) });
  });

  test.each([
    ['NUL', '\\u0000'],
    ['half a surrogate', '\\ud800'],
  ])('failure: a text with %s', async (_what, text) => {
    const members = `"owner":"a${text}","description":"${text}","customer_url":"${text}","user_uuid":"${text}","registrar_name":"${text}"`;
    const reply = await withoutTrace(registry, () => send(path, `[{${members}}]`));
    expect([reply.status, Object.keys(reply.body)]).toEqual([422, ['error']]);
  });

  test('failure: another format', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ])
      expect((await withoutTrace(registry, () => send(path, '{}', type))).status).toBe(400);
  });
});

describe.each(paths)('failure: what POST %s does not take', (path) => {
  test('failure: more than 1 MiB', async () => {
    const reply = await withoutTrace(registry, () =>
      send(path, JSON.stringify({ a: 'x'.repeat(1024 * 1024) })),
    );
    expect([reply.status, reply.body]).toEqual([413, { error: 'The request cannot be read' }]);
  });

  test('failure: strange members are 422 at worst, never a failure of ours', async () => {
    const strange = [
      '[]',
      '{}',
      '5',
      '-1',
      '1e400',
      'true',
      'null',
      '""',
      '" "',
      '"\\ud83d\\ude00"',
      '"__proto__"',
    ];
    const names = [
      ...['invoice_number', 'transaction_amount', 'status', 'customer_url', 'description', 'owner', 'email'],
      ...[
        'initiator',
        'custom_field1',
        'custom_field2',
        'reference_number',
        'reserved_domain_names',
        'user_uuid',
      ],
      ...['domain_name', 'customer_name', 'customer_email', '__proto__', 'constructor'],
      ...['invoice_data', 'invoice', 'dry', 'payable', 'balance_date', 'balance_end', 'buyer_country_code'],
    ];
    for (const value of strange) {
      const { status } = await send(path, `{${names.map((name) => `"${name}":${value}`).join(',')}}`);
      expect(status, value).toBeLessThan(500);
    }
  });
});

test.each(paths.filter((path) => !path.endsWith('number_generator') || path.includes('reference')))(
  'failure: POST %s with what is no object',
  async (path) => {
    for (const body of ['[]', '5', '"text"', 'true', 'null', '[[]]']) {
      const reply = await withoutTrace(registry, () => send(path, body));
      expect([reply.status, reply.body.error.body], body).toEqual([422, ['must be an object']]);
    }
  },
);

test('failure: an unexpected error tells the request and nothing else', async () => {
  await registry.sql.run(sql`alter table reference_numbers rename to hidden_numbers`);
  const reply = await send(`${GENERATOR}/reference_number_generator`, '{}');
  await registry.sql.run(sql`alter table hidden_numbers rename to reference_numbers`);
  expect([reply.status, reply.body]).toEqual([
    500,
    { error: `Internal error, request ${reply.headers.get('x-request-id')}` },
  ]);
});

test('success: nothing of all this was unforeseen but the last', () => {
  const unforeseen = registry.logged().match(/unexpected error/g) ?? [];
  expect(unforeseen.length).toBe(1);
});

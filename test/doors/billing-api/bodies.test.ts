import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BillingReply, call, holdAgainstBillingDocument, tokenOf } from '../../support/billing.ts';
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
  'bulk_payment',
  'deposit_prepayment',
  'deposit_status',
  'invoice_generator',
  'invoice_number_generator',
  'invoice_status',
  'oneoff',
  'reference_number_generator',
]
  .map((name) => `${GENERATOR}/${name}`)
  .concat('/directo/directo', '/e_invoice/e_invoice');
const imports = ['/import_data/invoice_data', '/import_data/reference_data'];

async function send(
  path: string,
  body: string | Uint8Array,
  type = 'application/json',
): Promise<BillingReply> {
  const reply = await call(`${registry.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: body as string,
  });
  await holdAgainstBillingDocument(registry.url, 'POST', path, reply);
  return reply;
}
/** More invalid bodies are in test/doors/http/json-body.test.ts and in input.test.ts. */
describe.each([...paths, ...imports])('failure: bodies that POST %s refuses', (path) => {
  const limit = path.startsWith('/import') ? 16 : 1;

  test('failure: malformed JSON, another format, a text with NUL, an oversized body', async () => {
    const replies = await withoutTrace(registry, async () => [
      await send(path, '{"invoice_number":'),
      await send(path, '{}', 'application/xml'),
      await send(path, '[{"owner":"a\\u0000"}]'),
      await send(path, ' '.repeat(limit * 1024 * 1024 + 1)),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 422, 413]);
    for (const { body } of replies) expect(Object.keys(body)).toEqual(['error']);
    expect(replies.at(-1)?.body).toEqual({ error: `Request body is larger than ${limit} MiB` });
  });
});

test('failure: an unexpected error is answered with the request id and no detail', async () => {
  await registry.sql.run(sql`alter table reference_numbers rename to hidden_numbers`);
  const reply = await send(`${GENERATOR}/reference_number_generator`, '{}');
  await registry.sql.run(sql`alter table hidden_numbers rename to reference_numbers`);
  expect([reply.status, reply.body]).toEqual([
    500,
    { error: `Internal error, request ${reply.headers.get('x-request-id')}` },
  ]);
});

test('success: only the last one was logged as an unexpected error', () => {
  const unforeseen = registry.logged().match(/unexpected error/g) ?? [];
  expect(unforeseen.length).toBe(1);
});

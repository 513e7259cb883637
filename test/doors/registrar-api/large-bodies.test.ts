import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, alphaBilling, type Client } from '../../support/client.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(() => registry.stop());

const transfers = (count: number, item: unknown) => ({
  data: { domain_transfers: Array.from({ length: count }, () => item) },
});

describe('bodies with many failures', () => {
  test('failure: 100 errors are listed, and the message counts the rest', async () => {
    const { status, body } = await client.post('/domains/transfer', transfers(1_000, {}));
    expect([status, body.code, body.errors?.length]).toEqual([400, 2003, 100]);
    expect(body.message).toBe(
      'Field is missing or empty: data.domain_transfers.0.domain_name (1900 more errors are not listed)',
    );
    expect(body.errors?.[0]?.message).toBe('Field is missing or empty: data.domain_transfers.0.domain_name');
  });

  test('failure: exactly 100 errors are all of them', async () => {
    const { body } = await client.post('/domains/transfer', transfers(50, {}));
    expect(body.errors).toHaveLength(100);
    expect(body.message).toBe(body.errors?.[0]?.message);
  });

  test('failure: a list that is too long is refused for that alone', async () => {
    const { status, body } = await client.post('/domains/transfer', transfers(1_001, 1));
    expect([status, body.code]).toEqual([400, 2004]);
    expect(body.errors).toEqual([
      {
        code: 2004,
        message: 'data.domain_transfers must be a list of 1 to 1000 items',
        field: 'data.domain_transfers',
        reason: 'outOfRange',
      },
    ]);
  });

  test('failure: more values than any call allows', async () => {
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`m${index}`, 1]));
    const { status, body } = await client.post('/domains', { domain: many });
    expect([status, body.code, body.errors?.length]).toEqual([400, 2004, 1]);
    expect(body.message).toBe('Request body holds more than 25000 values');
  });

  test('failure: a user without the right gets no other error', async () => {
    const { status, body } = await alphaBilling(registry.url).post('/domains/transfer', transfers(1_001, 1));
    expect([status, body.code, body.errors]).toEqual([
      403,
      2201,
      [{ code: 2201, message: 'Authorization error', field: null, reason: 'notAllowed' }],
    ]);
  });
});

describe('oversized texts', () => {
  const marks = `a${'\u0301\u0316'.repeat(10_000)}`;

  test.each([
    ['a name', 'domain.name', { name: `${marks}.ee` }],
    [
      'a hostname',
      'domain.nameservers_attributes.0.hostname',
      { nameservers_attributes: [{ hostname: `${marks}.ee` }] },
    ],
  ])('failure: %s of 20,000 marks', async (_what, field, changes) => {
    const domain = { name: 'marks.ee', registrant: 'x', period: 1, period_unit: 'y', ...changes };
    const { status, body } = await client.post('/domains', { domain });
    expect([status, body.errors?.map((error) => [error.code, error.field])]).toEqual([400, [[2005, field]]]);
  });

  test('failure: a text longer than any call allows', async () => {
    const { status, body } = await client.post('/domains', { domain: { name: 'a'.repeat(5_000) } });
    expect([status, body.errors?.[0]]).toEqual([
      400,
      {
        code: 2005,
        message: 'domain.name must be a text of 1 to 4096 characters',
        field: 'domain.name',
        reason: 'wrongSyntax',
      },
    ]);
  });
});

describe('the rate limit', () => {
  const transferOf = (count: number) => transfers(count, { domain_name: 'no name', transfer_code: 'code' });
  const left = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

  test('failure: a list counts as one request for each 20 items; beyond the limit it is 429, and a short one still fits', async () => {
    const { url } = await freshRegistryForThisTest({ rateLimitPerMinute: 20 });
    const user = alpha(url);
    const answers = [];
    for (const count of [20, 21, 240, 120, 1]) {
      const { status, headers } = await user.post('/domains/transfer', transferOf(count));
      answers.push([count, status, left(headers)]);
    }
    expect(answers).toEqual([
      [20, 200, 19],
      [21, 200, 17],
      [240, 200, 5],
      [120, 429, 3],
      [1, 200, 2],
    ]);
  });

  test('success: a list that counts as more than the limit is answered in an unused minute', async () => {
    const { url } = await freshRegistryForThisTest({ rateLimitPerMinute: 20 });
    const { status, headers } = await alpha(url).post('/domains/transfer', transferOf(1_000));
    expect([status, left(headers)]).toEqual([200, 0]);
  });
});

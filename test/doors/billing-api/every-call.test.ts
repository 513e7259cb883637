import { describe, expect, test } from 'vitest';
import { switchMaintenance } from '../../../src/installation/switch-maintenance.ts';
import { carryOut } from '../../../src/operations/operator-operation.ts';
import { call, holdAgainstBillingDocument, tokenOf } from '../../support/billing.ts';
import { billingDocument } from '../../support/endpoints.ts';
import { operator } from '../../support/operator.ts';
import { freshRegistryForThisTest, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

/** A body that every call accepts, so that it reaches the database; unknown members are ignored. */
const BODY = {
  invoice_number: '150005',
  transaction_amount: '20.00',
  status: 'paid',
  custom_field2: 'auction',
  customer_url: 'https://auction.example',
  description: 'auction_deposit a.ee, user_uuid 1, user_email a@b.ee',
  domain_name: 'a.ee',
  user_uuid: '1',
  invoice_data: [{ number: 150005 }],
  invoice: { number: 150005 },
};
const calls = Object.entries(billingDocument().paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, { operationId }]) => ({
    id: operationId,
    method: method.toUpperCase(),
    target: path.replace('/api/v1', '').replace('{invoice_number}', '150005'),
  })),
);

/** Makes every call with a token and returns the answer to each. */
async function answersOf({ url }: TestRegistry): Promise<Record<string, unknown>> {
  const authorization = `Bearer ${await tokenOf('auction')}`;
  const answers: Record<string, unknown> = {};
  for (const { id, method, target } of calls) {
    const body = JSON.stringify(target.startsWith('/import') ? [] : BODY);
    const reply = await call(`${url}/api/v1${target}`, {
      method,
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': id },
      ...(method === 'POST' && { body }),
    });
    await holdAgainstBillingDocument(url, method, target, reply);
    answers[id] = [reply.status, reply.body.error];
  }
  return answers;
}

describe('what every call answers', () => {
  const all = (status: number, error: unknown) =>
    Object.fromEntries(calls.map(({ id }) => [id, [status, error]]));

  test('failure: 500 for an internal error, which is logged', async () => {
    const registry = await freshRegistryForThisTest();
    await registry.sql.run(sql`alter schema public rename to hidden`);
    const answers = await answersOf(registry);
    await registry.sql.run(sql`alter schema hidden rename to public`);
    expect(answers).toEqual(all(500, expect.stringMatching(/^Internal error, request \S+$/)));
    expect((registry.logged().match(/unexpected error/g) ?? []).length).toBeGreaterThanOrEqual(calls.length);
  });

  test('failure: 503 in maintenance', async () => {
    const registry = await freshRegistryForThisTest();
    await carryOut(registry.sql, switchMaintenance, { isOn: true }, operator());
    await expect
      .poll(async () => (await call(`${registry.url}/api/v1/callback_handler/callback`, {})).status)
      .toBe(503);
    const { headers } = await call(`${registry.url}/api/v1/invoices/1`, {});
    expect(headers.get('retry-after')).toBe('60');
    expect(await answersOf(registry)).toEqual(all(503, 'Service unavailable'));
  });
});

import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../../packages/sdk/src/index.ts';
import { Sandbox, SandboxError, signWebhook } from '../../../packages/sdk/src/testing.ts';
import { registryForThisTest } from '../../support/registry.ts';
import { clientOf } from './clients.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const data = { sequence: 7, message_id: 3 };
const DAY_MS = 86_400_000;

describe('signWebhook', () => {
  test('success: what it signs is accepted by this client and by another', async () => {
    const signed = await signWebhook({ secret: SECRET, type: 'balance.low', data, id: 'msg_7' });
    const event = verifyWebhook({ secrets: SECRET, ...signed });
    expect(event).toMatchObject({ id: 'msg_7', type: 'balance.low', data });
    expect(new Webhook(SECRET).verify(signed.body, { ...signed.headers })).toMatchObject({ data });
  });

  test('success: each event has an id of its own', async () => {
    const idOf = async () =>
      (await signWebhook({ secret: SECRET, type: 'balance.low', data })).headers['webhook-id'];
    expect(await idOf()).not.toBe(await idOf());
  });

  test('failure: one that was signed long ago, or with another secret, is not accepted', async () => {
    const at = new Date(Date.now() - DAY_MS);
    const old = await signWebhook({ secret: SECRET, type: 'balance.low', data, at });
    expect(() => verifyWebhook({ secrets: SECRET, ...old })).toThrow('timestamp too old');
    const other = await signWebhook({ secret: 'whsec_AAAA', type: 'balance.low', data });
    expect(() => verifyWebhook({ secrets: SECRET, ...other })).toThrow('no matching signature');
    await expect(signWebhook({ secret: 'whsec_', type: 'balance.low', data })).rejects.toThrow(TypeError);
  });
});

describe('Sandbox', () => {
  test('success: its clock moves by a duration and to a time', async () => {
    const sandbox = new Sandbox((await registryForThisTest()).url);
    const began = await sandbox.now();
    expect((await sandbox.advance('P15D')).getTime() - began.getTime()).toBeGreaterThanOrEqual(15 * DAY_MS);
    const later = new Date(began.getTime() + 20 * DAY_MS);
    expect((await sandbox.advanceTo(later)).getTime()).toBeGreaterThanOrEqual(later.getTime());
    expect((await sandbox.now()).getTime()).toBeGreaterThanOrEqual(later.getTime());
  });

  test('success: an account is topped up, an invoice paid, and everything reset', async () => {
    const { url } = await registryForThisTest();
    const [sandbox, poor] = [new Sandbox(url), clientOf(url, 'poor')];
    expect(await sandbox.topUp('POOR', '50.00')).toBe('55.00');
    const { data: issued } = await poor.billing.addCredit({ amount: '10.00' });
    const { invoice_number, payment_link } = issued.invoice;
    const failed = await sandbox.pay(payment_link, 'failed');
    expect(failed).toEqual({ payment_reference: expect.any(String), payment_state: 'failed' });
    expect(await sandbox.pay(payment_link)).toMatchObject({ payment_state: 'settled' });
    await expect
      .poll(async () => (await poor.billing.invoice(invoice_number)).data.invoice.status)
      .toBe('paid');
    expect((await poor.billing.balance()).data.balance).toBe('65.00');
    await sandbox.reset();
    expect((await poor.billing.balance()).data.balance).toBe('5.00');
  });

  test('failure: what it refuses is an error with its words', async () => {
    const sandbox = new Sandbox((await registryForThisTest()).url);
    const error: unknown = await sandbox.advance('a fortnight').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SandboxError);
    expect(error).toMatchObject({ status: 400, message: expect.stringContaining('ISO 8601 duration') });
    await expect(sandbox.topUp('NOBODY', '1.00')).rejects.toMatchObject({ status: 404 });
    await expect(sandbox.pay('http://127.0.0.1/elsewhere')).rejects.toThrow(SandboxError);
  });
});

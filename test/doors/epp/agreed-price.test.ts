import { afterAll, beforeAll, describe, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { createContact } from '../../support/contacts.ts';
import { balanceOf, freshName } from '../../support/domains.ts';
import type { EppClient } from '../../support/epp.ts';
import { fee } from '../../support/epp-frames.ts';
import { objectCommands } from '../../support/epp-objects.ts';
import { eppAddressOf, logInToEpp } from '../../support/epp-sandbox.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { expect } from '../../support/this-test.ts';

/** A year costs 9.00, two cost 17.00. */
const { domain } = objectCommands('ee');

let registry: TestRegistry;
let client: EppClient;
let registrant: string;
beforeAll(async () => {
  registry = await startFreshRegistry({ eppPort: 0 });
  client = await logInToEpp(await eppAddressOf(registry.url), 'alpha');
  registrant = await createContact(alpha(registry.url));
});
afterAll(async () => {
  await client.close();
  await registry.stop();
});

const balance = async () => Number(await balanceOf(alpha(registry.url)));
/** The code, what was charged, and the fee data of the answer. */
async function charged(...[command, extension]: readonly [Parameters<EppClient['command']>[0], string?]) {
  const before = await balance();
  const answer = await client.command(command, ...(extension ? [extension] : []));
  const after = await balance();
  const data = ['creData', 'renData'].find((each) => answer.text(`${each}/balance`) !== undefined);
  const feeData = data && [answer.text(`${data}/fee`), Number(answer.text(`${data}/balance`)) === after];
  return {
    code: answer.code,
    cost: before - after,
    feeData,
    reasons: answer.reasons,
    messages: answer.messages,
  };
}
const create = (name: string, agreed?: string, period = '1y') =>
  charged(
    domain.create({ name, period, registrant, code: '' }),
    agreed === undefined ? undefined : fee.agreed('create', agreed),
  );
async function renew(name: string, agreed: string, period = '1y') {
  const expiry = (await client.command(domain.info(name))).text('infData/exDate') ?? '';
  return charged(domain.renew(name, expiry.slice(0, 10), period), fee.agreed('renew', agreed));
}

describe('a price that the client agrees to', () => {
  test('success: it is charged, and returned with the remaining balance', async () => {
    const name = freshName();
    expect(await create(name, '9.00')).toMatchObject({ code: 1000, cost: 9, feeData: ['9.00', true] });
    expect(await renew(name, '9.0')).toMatchObject({ code: 1000, cost: 9, feeData: ['9.00', true] });
  });

  test('success: without one the price is charged, and not returned', async () => {
    expect(await create(freshName())).toMatchObject({ code: 1000, cost: 9, feeData: undefined });
  });

  test.each(['8.99', '9.01', '0.00', '900'])('failure: %s for a registration', async (agreed) => {
    const name = freshName();
    const refused = await create(name, agreed);
    expect(refused).toMatchObject({ code: 2004, cost: 0, feeData: undefined });
    expect(refused.messages).toEqual(['The price is 9.00']);
    expect(await client.command(domain.info(name))).toMatchObject({ code: 2303 });
  });

  test('failure: another one for a renewal, which is not done', async () => {
    const name = freshName();
    await create(name);
    const expiry = async () => (await client.command(domain.info(name))).text('infData/exDate');
    const before = await expiry();
    expect(await renew(name, '8.00')).toMatchObject({ code: 2004, cost: 0, messages: ['The price is 9.00'] });
    // The price of another period.
    expect(await renew(name, '9.00', '2y')).toMatchObject({ code: 2004, cost: 0 });
    expect(await expiry()).toBe(before);
  });
});

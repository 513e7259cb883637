import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut, type OperatorContext } from '../../../src/operations/operator-operation.ts';
import { allowAddresses } from '../../../src/registry/registrars/allow-addresses.ts';
import { disallowAddresses } from '../../../src/registry/registrars/disallow-addresses.ts';
import {
  listAllowedAddresses,
  testAddress,
} from '../../../src/registry/registrars/list-allowed-addresses.ts';
import { alpha, beta, poor } from '../../support/client.ts';
import { operator } from '../../support/operator.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { NOTICED } from '../../support/waiting.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startFreshRegistry({ trustedProxies: ['127.0.0.1/32'] });
});
afterAll(() => registry.stop());

const allow = (registrar: string, range: string, given: Partial<OperatorContext> = {}) =>
  carryOut(registry.sql, allowAddresses, { registrar, range, note: '', purpose: 'api' }, operator(given));
const disallow = (registrar: string, range: string, given: Partial<OperatorContext> = {}) =>
  carryOut(registry.sql, disallowAddresses, { registrar, range, purpose: 'api' }, operator(given));
const refusedWith = (name: string) => ({ refusals: [{ name }] });
const comeFrom = async (client: ReturnType<typeof alpha>, address: string) =>
  (await client.get('/accounts/balance', { headers: { 'x-forwarded-for': address } })).status;

describe('allowed addresses of a registrar', () => {
  test('success: from any address while there is no list', async () => {
    expect(await comeFrom(beta(registry.url), '198.51.100.1')).toBe(200);
    expect(await testAddress(registry.sql, 'BETA', '198.51.100.1')).toMatchObject({ allowed: true });
  });

  test('failure: from other addresses once there is a list, within seconds; and from anywhere again without it', async () => {
    const client = alpha(registry.url);
    expect(await comeFrom(client, '203.0.113.7')).toBe(200);
    await allow('ALPHA', '203.0.113.0/24');
    await expect.poll(() => comeFrom(client, '198.51.100.1'), NOTICED).toBe(401);
    expect(await comeFrom(client, '203.0.113.7')).toBe(200);
    expect(await comeFrom(client, '::ffff:203.0.113.7')).toBe(200);
    expect(await comeFrom(client, '2001:db8::1')).toBe(401);
    expect(registry.logged()).toContain('the address is not on the list of the registrar');
    expect(await comeFrom(beta(registry.url), '198.51.100.1')).toBe(200);
    await disallow('ALPHA', '203.0.113.0/24');
    await expect.poll(() => comeFrom(client, '198.51.100.1'), NOTICED).toBe(200);
  });

  test('success: both families, kept as networks', async () => {
    await allow('POOR', '2001:db8:1::5/48');
    await allow('POOR', '192.0.2.9');
    expect((await listAllowedAddresses(registry.sql, 'POOR')).map(({ range }) => range)).toEqual([
      '192.0.2.9/32',
      '2001:db8:1::/48',
    ]);
    const client = poor(registry.url);
    await expect.poll(() => comeFrom(client, '198.51.100.1'), NOTICED).toBe(401);
    expect(await comeFrom(client, '2001:db8:1:ffff::1')).toBe(200);
    expect(await comeFrom(client, '192.0.2.9')).toBe(200);
    expect(await testAddress(registry.sql, 'POOR', '2001:db8:1::9')).toEqual({
      allowed: true,
      reason: '2001:db8:1::/48 has it',
    });
    expect(await testAddress(registry.sql, 'POOR', '192.0.2.10')).toMatchObject({ allowed: false });
  });

  test('failure: the same range twice, an unknown registrar, an absent range', async () => {
    await allow('BETA', '198.51.100.0/24');
    await expect(allow('BETA', '198.51.100.77/24')).rejects.toMatchObject(refusedWith('addressesTaken'));
    await expect(allow('NOBODY', '198.51.100.0/24')).rejects.toMatchObject(
      refusedWith('addressRegistrarMissing'),
    );
    await expect(disallow('BETA', '203.0.113.0/24')).rejects.toMatchObject(refusedWith('addressesNotListed'));
    expect(await disallow('BETA', '198.51.100.77/24')).toMatchObject({ left: 0 });
  });

  test('failure: what is no range', async () => {
    for (const change of [allow('BETA', '198.51.100.0/33'), disallow('BETA', 'home')])
      await expect(change).rejects.toMatchObject(refusedWith('addressRangeInvalid'));
  });

  test('failure: the list of another registrar', async () => {
    const { id } = await registry.sql.one(sql<{ id: number }>`select id from registrars where code = 'BETA'`);
    await expect(allow('ALPHA', '198.51.100.0/24', { registrarId: id })).rejects.toMatchObject(
      refusedWith('addressRegistrarMissing'),
    );
    await expect(disallow('POOR', '192.0.2.9', { registrarId: id })).rejects.toMatchObject(
      refusedWith('addressesNotListed'),
    );
  });

  test('failure: a range above the most that there may be, also of two at once', async () => {
    await registry.sql.run(sql`
      insert into allowed_addresses (registrar_id, range, created_at)
      select r.id, ('10.0.' || n || '.0/24')::cidr, now() from registrars r, generate_series(1, 255) as n where r.code = 'BETA'`);
    const outcomes = await Promise.allSettled([allow('BETA', '10.1.1.0/24'), allow('BETA', '10.1.2.0/24')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(allow('BETA', '10.1.3.0/24')).rejects.toMatchObject(refusedWith('tooManyAddresses'));
    await registry.sql.run(sql`delete from allowed_addresses where range <<= '10.0.0.0/8'`);
  });

  test('failure: a wrong password from an address that is not allowed gets the ordinary refusal', async () => {
    const { status, body } = await poor(registry.url).get('/accounts/balance', {
      headers: { 'x-forwarded-for': '198.51.100.9', authorization: `Basic ${btoa('poor:wrong')}` },
    });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 2202 });
    expect(registry.logged()).toContain('the user or its password is wrong');
  });
});

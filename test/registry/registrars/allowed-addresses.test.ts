import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  allowAddresses,
  disallowAddresses,
  listAllowedAddresses,
  testAddress,
} from '../../../src/registry/registrars/allowed-addresses.ts';
import { change } from '../../support/certificates.ts';
import { alpha, beta, poor } from '../../support/client.ts';
import { startFreshRegistry, type TestRegistry } from '../../support/registry.ts';
import { NOTICED } from '../../support/waiting.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startFreshRegistry({ trustedProxies: ['127.0.0.1/32'] });
});
afterAll(() => registry.stop());

const allow = (registrar: string, range: string) =>
  allowAddresses(registry.sql, registrar, { range, note: '' }, change);
const disallow = (registrar: string, range: string) =>
  disallowAddresses(registry.sql, registrar, range, change);
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
    expect(await allow('ALPHA', '203.0.113.0/24')).toBe('allowed');
    await expect.poll(() => comeFrom(client, '198.51.100.1'), NOTICED).toBe(401);
    expect(await comeFrom(client, '203.0.113.7')).toBe(200);
    expect(await comeFrom(client, '::ffff:203.0.113.7')).toBe(200);
    expect(await comeFrom(client, '2001:db8::1')).toBe(401);
    expect(registry.logged()).toContain('the address is not on the list of the registrar');
    expect(await comeFrom(beta(registry.url), '198.51.100.1')).toBe(200);
    expect(await disallow('ALPHA', '203.0.113.0/24')).toBe(true);
    await expect.poll(() => comeFrom(client, '198.51.100.1'), NOTICED).toBe(200);
  });

  test('success: both families, kept as networks', async () => {
    expect(await allow('POOR', '2001:db8:1::5/48')).toBe('allowed');
    expect(await allow('POOR', '192.0.2.9')).toBe('allowed');
    expect((await listAllowedAddresses(registry.sql, 'POOR')).map(({ range }) => range)).toEqual([
      '192.0.2.9/32',
      '2001:db8:1::/48',
    ]);
    const client = poor(registry.url);
    await expect.poll(() => comeFrom(client, '198.51.100.1'), NOTICED).toBe(401);
    expect(await comeFrom(client, '2001:db8:1:ffff::1')).toBe(200);
    expect(await comeFrom(client, '192.0.2.9')).toBe(200);
    expect(await testAddress(registry.sql, 'POOR', '2001:db8:1::9')).toEqual({
      ...{ allowed: true, reason: '2001:db8:1::/48 has it' },
    });
    expect(await testAddress(registry.sql, 'POOR', '192.0.2.10')).toMatchObject({ allowed: false });
  });

  test('failure: the same range twice, an unknown registrar, an absent range', async () => {
    expect(await allow('BETA', '198.51.100.0/24')).toBe('allowed');
    expect(await allow('BETA', '198.51.100.77/24')).toBe('already allowed');
    expect(await allow('NOBODY', '198.51.100.0/24')).toBe('no such registrar');
    expect(await disallow('BETA', '203.0.113.0/24')).toBe(false);
    expect(await disallow('BETA', '198.51.100.0/24')).toBe(true);
  });

  test('failure: a wrong password from an address that is not allowed gets the ordinary refusal', async () => {
    const { status, body } = await poor(registry.url).get('/accounts/balance', {
      headers: { 'x-forwarded-for': '198.51.100.9', authorization: `Basic ${btoa('poor:wrong')}` },
    });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 2202 });
    expect(registry.logged()).toContain('the user or its password is wrong');
  });
});

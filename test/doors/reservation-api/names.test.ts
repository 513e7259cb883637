import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Portal } from '../../support/portal.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';

let registry: TestRegistry;
let portal: Portal;
beforeAll(async () => {
  registry = await startRegistry();
  portal = new Portal(registry.url);
});
afterAll(() => registry.stop());

const suggested = (name: string) => portal.get(`/domain_names/${encodeURIComponent(name)}`);

describe('GET domain_names', () => {
  test('success: 200 with the variants that are free', async () => {
    const reply = await suggested('Test Company AS');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    const zones = ['ee', 'com.ee', 'pri.ee', 'fie.ee', 'med.ee'];
    expect(reply.body).toEqual({
      variants: [
        ...zones.map((zone) => `testcompany.${zone}`),
        ...zones.map((zone) => `test-company.${zone}`),
      ],
    });
  });

  test('success: reserved and blocked names are not among them', async () => {
    expect((await suggested('Reserved OÜ')).body.variants).not.toContain('reserved.ee');
    expect((await suggested('Blocked OÜ')).body.variants).toEqual(
      ['com.ee', 'pri.ee', 'fie.ee', 'med.ee'].map((zone) => `blocked.${zone}`),
    );
  });

  test('success: a name that no zone can hold has no variants', async () => {
    expect(await suggested('Кафе OÜ')).toMatchObject({ status: 200, body: { variants: [] } });
  });

  test('failure: 400 for an invalid name', async () => {
    const reply = await suggested('Foo & Bar');
    expect([reply.status, reply.body]).toEqual([400, { error: 'Invalid organization name' }]);
  });

  test('failure: 400 for a malformed escape', async () => {
    expect((await portal.get('/domain_names/%E0%A4%A')).status).toBe(400);
  });
});

test('failure: 404 for an unknown path, 405 for another method', async () => {
  for (const path of ['/', '/no_such_call', '/domain_names'])
    expect([path, (await portal.get(path)).status]).toEqual([path, 404]);
  expect((await portal.get('/reserve_domains')).status).toBe(405);
  expect((await portal.post('/long_reserve_domains_status')).status).toBe(405);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cadastre, databaseUrl } from '../support/cadastre.ts';
import { alpha, type Client } from '../support/client.ts';
import { firstFailure, Registrant } from '../support/domains.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

/** The command beside a running server: what it does is what the server's clients see. */
let registry: TestRegistry;
let client: Client;
let registrant: Registrant;
const run = (...args: string[]) =>
  cadastre(['blocked', ...args], { env: { DATABASE_URL: databaseUrl(registry.databaseName) } });
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
  registrant = await Registrant.of(client);
});
afterAll(() => registry.stop());

const listed = async () => JSON.parse((await run('list', '--json')).stdout);
const checked = async (name: string) => (await client.get(`/domains/check/${name}`)).body.data.domain.reason;

describe('cadastre blocked', () => {
  test('success: a blocked name cannot be registered until it is removed from the list', async () => {
    expect(await run('add', 'Keelatud.EE', '--reason', 'court order')).toEqual({
      code: 0,
      stdout: 'keelatud.ee is blocked.\n',
      stderr: '',
    });
    expect(await checked('keelatud.ee')).toBe('blocked');
    expect(firstFailure(await registrant.try({ name: 'keelatud.ee' }))).toEqual([400, 2308, 'domain.name']);
    expect(await listed()).toContainEqual({ name: 'keelatud.ee', reason: 'court order' });
    expect((await run('list')).stdout).toMatch(/^NAME +REASON\n[\s\S]*^keelatud\.ee +court order$/m);

    expect(await run('remove', 'keelatud.ee', '--reason', 'overruled')).toEqual({
      code: 0,
      stdout: 'keelatud.ee is not blocked any more.\n',
      stderr: '',
    });
    expect(await listed()).not.toContainEqual(expect.objectContaining({ name: 'keelatud.ee' }));
    expect(await registrant.register({ name: 'keelatud.ee' })).toBe('keelatud.ee');
    const history = await registry.sql.rows(sql`
      select operation, reason from history where object_kind = 'name' and object_name = 'keelatud.ee' order by id`);
    expect(history).toEqual([
      { operation: 'block', reason: 'court order' },
      { operation: 'unblock', reason: 'overruled' },
    ]);
  });

  test('success: an internationalised name is the same name in punycode', async () => {
    await run('add', 'xn--pike-loa.ee');
    expect(await listed()).toContainEqual({ name: 'päike.ee', reason: null });
    expect(await checked('päike.ee')).toBe('blocked');
  });

  test('success: blocked again, it keeps the later reason; a registered name stays registered', async () => {
    await run('add', 'kaks.ee', '--reason', 'first');
    expect((await run('add', 'kaks.ee', '--reason', 'second')).code).toBe(0);
    expect(await listed()).toContainEqual({ name: 'kaks.ee', reason: 'second' });
    const name = await registrant.register();
    expect((await run('add', name)).code).toBe(0);
    expect((await client.get(`/domains/${name}`)).status).toBe(200);
  });

  test.each([
    ['a name of another zone', ['add', 'example.com'], /^example\.com is no name of our zones\.\n$/],
    ['no name at all', ['add', '..'], /^\.\. is no name of our zones\.\n$/],
    ['removing a name that is not blocked', ['remove', 'vaba.ee'], /^vaba\.ee is not blocked\.\n$/],
  ])('failure: %s ends with 1 and one sentence', async (_what, args, sentence) => {
    const outcome = await run(...args);
    expect(outcome).toMatchObject({ code: 1, stdout: '' });
    expect(outcome.stderr).toMatch(sentence);
  });

  test('failure: no name is a usage error, which ends with 2', async () => {
    expect(await run('add')).toMatchObject({ code: 2, stdout: '' });
  });
});

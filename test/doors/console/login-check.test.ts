import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { alpha } from '../../support/client.ts';
import { ConsoleClient, loggedIn, PEOPLE } from '../../support/console.ts';
import { Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let name: string;
let client: ConsoleClient;
beforeAll(async () => {
  registry = await startRegistry();
  name = await (await Registrant.of(alpha(registry.url))).register();
});
beforeEach(async () => {
  client = await loggedIn(registry.url);
});
afterAll(() => registry.stop());

const CREATE = '/console/contacts/~create';
const ownerOf = async (from: ConsoleClient) =>
  /<dialog[^>]* data-owner="([^"]+)"/.exec((await from.get(CREATE)).text)?.[1] ?? '';
const check = async (from: ConsoleClient, path: string, owner: string, headers = {}) => {
  const { status, to } = await from.post(path, {}, { 'x-login-check': owner, ...headers });
  return [status, to && new URL(to, registry.url).searchParams.get('reason')];
};
const setSession = (column: 'last_seen_at' | 'authenticated_at') =>
  registry.sql.run(
    column === 'last_seen_at'
      ? sql`update person_sessions set last_seen_at = last_seen_at - interval '31 minutes'`
      : sql`update person_sessions set authenticated_at = authenticated_at - interval '6 minutes'`,
  );
const heldForms = () =>
  registry.sql.rows(sql<{ kind: string }>`select kind from login_steps where kind = 'held form'`);

describe('the question whether a form would be received', () => {
  test('success: it would; nothing is done, and its fields are not read', async () => {
    const owner = await ownerOf(client);
    const hold = `/console/domains/${name}/hold`;
    for (const path of [CREATE, hold, `/console/domains/${name}/delete`])
      expect(await check(client, path, owner)).toEqual([204, null]);
    const { statuses } = await registry.sql.one(
      sql<{ statuses: object }>`select statuses from domains where name = ${name}`,
    );
    expect(statuses).toEqual({});
    const answer = await client.post(CREATE, {}, { 'x-login-check': owner });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('failure: the session has ended; the form is not stored', async () => {
    const owner = await ownerOf(client);
    await setSession('last_seen_at');
    expect(await check(client, CREATE, owner)).toEqual([303, 'ended']);
    expect(await heldForms()).toEqual([]);
  });

  test('failure: the login is too old for what is dangerous, and recent enough for the rest', async () => {
    const owner = await ownerOf(client);
    await setSession('authenticated_at');
    expect(await check(client, `/console/domains/${name}/delete`, owner)).toEqual([303, 'stepUp']);
    expect(await check(client, CREATE, owner)).toEqual([204, null]);
    expect(await heldForms()).toEqual([]);
  });

  test('failure: another person, another registrar, and what no page has', async () => {
    const owner = await ownerOf(client);
    const beyond = await loggedIn(registry.url, 'beta');
    const [person = ''] = owner.split('-');
    for (const other of [
      await ownerOf(beyond),
      `${person}-0`,
      'x',
      '',
      `${owner}, ${owner}`,
      'õ'.repeat(900),
    ])
      expect((await check(client, CREATE, encodeURIComponent(other) || '-'))[0]).toBe(409);
  });

  test('failure: a reader, nobody, another site, and no such form', async () => {
    const reader = await loggedIn(registry.url, 'reader');
    const page = (await reader.get('/console')).text;
    const own = /data-owner="([^"]+)"/.exec(page)?.[1] ?? '';
    expect((await check(reader, CREATE, own))[0]).toBe(403);
    expect((await check(reader, CREATE, await ownerOf(client)))[0]).toBe(409);
    expect(await check(new ConsoleClient(registry.url), CREATE, '1-1')).toEqual([303, null]);
    const owner = await ownerOf(client);
    expect((await check(client, CREATE, owner, { 'sec-fetch-site': 'cross-site' }))[0]).toBe(403);
    expect(
      (await check(client, CREATE, owner, { 'sec-fetch-site': '', origin: 'https://evil.example' }))[0],
    ).toBe(403);
    expect((await check(client, '/console/nowhere', owner))[0]).toBe(404);
  });

  test('success: the same person comes back for the same registrar, and is asked by nobody else', async () => {
    const owner = await ownerOf(client);
    await setSession('last_seen_at');
    await client.logIn(...PEOPLE.alpha);
    expect(await ownerOf(client)).toBe(owner);
    await client.logIn(...PEOPLE.beta);
    expect((await check(client, CREATE, owner))[0]).toBe(409);
  });
});

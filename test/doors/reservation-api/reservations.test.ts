import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Payer } from '../../support/billing.ts';
import { alpha } from '../../support/client.ts';
import { freshName, Registrant } from '../../support/domains.ts';
import { isAfter, Portal } from '../../support/portal.ts';
import { registryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let registry: TestRegistry;
let portal: Portal;
beforeAll(async () => {
  registry = await startRegistry();
  portal = new Portal(registry.url);
});
afterAll(() => registry.stop());

const reserve = (names: unknown, headers: Record<string, string> = {}) =>
  portal.post('/reserve_domains', { domain_names: names }, headers);
const statusOf = (id: string) => portal.get(`/reserve_domains/${id}`);
const WRONG_NAMES = {
  error: 'Invalid parameter: domain_names must be a non-empty array of valid domain names',
};
const TOO_MANY_NAMES = { error: 'The maximum number of domain names per request is 20' };
const NONE = { error: 'No available domains' };
const UNKNOWN = { error: 'Reserved domains not found. Invalid user_unique_id' };
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0[23]:00$/;

describe('POST reserve_domains', () => {
  test('success: 201 with a code for each name, for seven days', async () => {
    const names = [freshName(), freshName('com.ee')];
    const before = new Date();
    const reply = await reserve(names);
    const after = new Date();
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      message: 'Domains reserved successfully',
      reserved_domains: names.map((name) => ({
        name,
        password: expect.stringMatching(/^[0-9a-f]{32}$/),
        expire_at: expect.stringMatching(MOMENT),
      })),
      user_unique_id: expect.stringMatching(/^[\w-]{10}$/),
    });
    const expiry = new Date(reply.body.reserved_domains[0].expire_at);
    expect(isAfter('P7D', expiry, before, after)).toBe(true);
  });

  test('success: names that are not available are left out; unknown members are ignored', async () => {
    const name = freshName();
    const unavailable = [
      'reserved.ee',
      'blocked.ee',
      'com.ee',
      'ee',
      'foo.com',
      'a.b.c.ee',
      '-.ee',
      'кафе.ee',
    ];
    const reply = await portal.post('/reserve_domains', {
      domain_names: [...unavailable, name],
      user_unique_id: 5,
      __proto__: null,
      other: [{}],
    });
    expect([reply.status, reply.body.reserved_domains.map((entry: { name: string }) => entry.name)]).toEqual([
      201,
      [name],
    ]);
  });

  test('success: several spellings of a name are one name', async () => {
    const { body } = await reserve(['ÕIGEKEEL.ee', 'xn--igekeel-00a.ee']);
    expect(body.reserved_domains.map(({ name }: { name: string }) => name)).toEqual(['õigekeel.ee']);
    expect((await reserve(['xn--igekeel-00a.ee'])).body).toEqual(NONE);
  });

  test('failure: 400 for a body that is not a list of names', async () => {
    const reply = await reserve(['foo_bar.ee']);
    expect([reply.status, reply.body]).toEqual([400, WRONG_NAMES]);
  });

  test.each<[string, string | Uint8Array, string]>([
    ['truncated JSON', '{"domain_names":["foo.ee"', 'application/json'],
    ['a form', 'domain_names[]=foo.ee', 'application/x-www-form-urlencoded'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff]), 'application/json'],
    ['unbounded nesting', '['.repeat(50_000), 'application/json'],
    ['a NUL in a text', '{"domain_names":["a\\u0000.ee"]}', 'application/json'],
  ])('failure: 400 for %s', async (_what, body, type) => {
    const reply = await portal.send('/reserve_domains', body, { 'content-type': type });
    expect([reply.status, reply.body]).toEqual([400, { error: expect.any(String) }]);
  });

  test.each(['/reserve_domains', '/long_reserve_domains'])(
    'failure: 413 for 1 MiB and more: %s',
    async (path) => {
      const reply = await portal.post(path, { a: 'x'.repeat(1024 * 1024) });
      expect([reply.status, reply.body]).toEqual([413, { error: 'Request body is larger than 1 MiB' }]);
    },
  );

  test('failure: 400 for a name with spaces around it', async () => {
    expect((await reserve([` ${freshName()}\n`])).status).toBe(400);
  });

  test('failure: 422 for 21 names, before the names are checked', async () => {
    const reply = await reserve(Array.from({ length: 21 }, () => '?'));
    expect([reply.status, reply.body]).toEqual([422, TOO_MANY_NAMES]);
  });

  test('failure: 422 when none is available', async () => {
    const name = freshName();
    await reserve([name]);
    for (const names of [[name], ['reserved.ee', 'blocked.ee', 'com.ee', 'foo.com']])
      expect([names, await reserve(names)]).toMatchObject([names, { status: 422, body: NONE }]);
  });
});

describe('GET reserve_domains', () => {
  test('success: 200 with a bare list, in the order of the request', async () => {
    const names = [freshName(), freshName(), freshName()].sort().reverse();
    const { body } = await reserve(names);
    const reply = await statusOf(body.user_unique_id);
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(reply.body).toEqual(
      body.reserved_domains.map((entry: object) => ({ ...entry, status: 'reserved' })),
    );
    expect(reply.body.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  test('success: a name registered with its code stays registered, without the code', async () => {
    const registrant = await Registrant.of(alpha(registry.url));
    const name = freshName();
    const { body } = await reserve([name]);
    await registrant.register({ name, reserved_pw: body.reserved_domains[0].password });
    expect((await statusOf(body.user_unique_id)).body).toEqual([{ name, status: 'registered' }]);
  });

  test('success: after a week it is expired, and the old id does not show the code of the next reservation', async () => {
    const own = await registryForThisTest();
    const [one, payer] = [new Portal(own.url), new Payer(own.url)];
    const first = await one.post('/reserve_domains', { domain_names: ['edasi.ee', 'vaba.ee'] });
    await payer.advance('P8D');
    const expired = ['edasi.ee', 'vaba.ee'].map((name) => ({ name, status: 'expired' }));
    expect((await one.get(`/reserve_domains/${first.body.user_unique_id}`)).body).toEqual(expired);
    const second = await one.post('/reserve_domains', { domain_names: ['edasi.ee'] });
    expect(second.status).toBe(201);
    expect((await one.get(`/reserve_domains/${first.body.user_unique_id}`)).body).toEqual(expired);
    expect((await one.get(`/reserve_domains/${second.body.user_unique_id}`)).body).toMatchObject([
      { status: 'reserved', password: second.body.reserved_domains[0].password },
    ]);
  });

  test('success: a name registered without its code after the reservation expired is shown as expired, not as registered', async () => {
    const registrant = await Registrant.of(alpha(registry.url));
    const name = freshName();
    const { body } = await reserve([name]);
    await registry.sql.run(sql`update reserved_names set expires_at = created_at where name = ${name}`);
    await registrant.register({ name });
    expect((await statusOf(body.user_unique_id)).body).toEqual([{ name, status: 'expired' }]);
  });

  test('failure: 404 for an unknown id, in the same bytes as for an invalid one', async () => {
    for (const id of ['aaaaaaaaaa', 'short', '%00'])
      expect([id, await statusOf(id)]).toMatchObject([id, { status: 404, body: UNKNOWN }]);
  });

  test('failure: 404 for the id of a paid reservation', async () => {
    const { body } = await portal.post('/long_reserve_domains', { domain_names: [freshName()] });
    expect((await statusOf(body.user_unique_id)).status).toBe(404);
  });
});

describe('Idempotency-Key', () => {
  test('success: a replay gets the same names and codes, and reserves nothing more', async () => {
    const [names, key] = [[freshName(), freshName()], { 'idempotency-key': randomUUID() }];
    const first = await reserve(names, key);
    const second = await reserve(names, key);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
  });

  test('success: concurrent duplicates are one reservation', async () => {
    const [names, key] = [[freshName()], { 'idempotency-key': randomUUID() }];
    const replies = await Promise.all(Array.from({ length: 8 }, () => reserve(names, key)));
    expect(new Set(replies.map(({ body }) => body.user_unique_id)).size).toBe(1);
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
  });

  test('failure: 400 for the key of another request, and for an oversized one', async () => {
    const key = { 'idempotency-key': randomUUID() };
    await reserve([freshName()], key);
    const other = await reserve([freshName()], key);
    expect([other.status, other.body]).toEqual([
      400,
      { error: 'Idempotency-Key was used for another request' },
    ]);
    const long = await reserve([freshName()], { 'idempotency-key': 'x'.repeat(256) });
    expect([long.status, long.body.error]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
  });

  test('success: a refusal is not stored', async () => {
    const [name, key] = [freshName(), { 'idempotency-key': randomUUID() }];
    const { body } = await reserve([name]);
    expect((await reserve([name], key)).status).toBe(422);
    await registry.sql.run(sql`delete from reserved_names where name = ${body.reserved_domains[0].name}`);
    expect((await reserve([name], key)).status).toBe(201);
  });

  test('success: no code is stored with the key', async () => {
    const { body } = await reserve([freshName()], { 'idempotency-key': randomUUID() });
    const kept = await registry.sql.rows(
      sql`select answer::text from idempotency_keys where scope like 'portal:%'`,
    );
    expect(JSON.stringify(kept) + registry.logged()).not.toContain(body.reserved_domains[0].password);
    expect(kept.length).toBeGreaterThan(0);
  });
});

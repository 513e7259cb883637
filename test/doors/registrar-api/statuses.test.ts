import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyCall, make } from '../../support/calls.ts';
import { alpha, alphaBilling, Client } from '../../support/client.ts';
import { createContact, newContact } from '../../support/contacts.ts';
import { freshRegistryForThisTest, startRegistry, type TestRegistry } from '../../support/registry.ts';
import { type RowName, row, rows } from '../../support/rows.ts';
import { sql } from '../../support/sql.ts';
import { NOTICED } from '../../support/waiting.ts';

let registry: TestRegistry;
let client: Client;
beforeAll(async () => {
  registry = await startRegistry();
  client = alpha(registry.url);
});
afterAll(() => registry.stop());

const outcome = ({ status, body }: { status: number; body: { code: number } }) => [status, body.code];
const expected = (name: RowName) => [...rows[name]];

/** What a user may call who has the role billing alone. */
const MONEY = new Set([
  'readBalance',
  'listPrices',
  'addCredit',
  'listInvoices',
  'readInvoice',
  'readInvoicePdf',
  'readInvoiceUbl',
]);

describe('what every call answers', () => {
  test('success: each call succeeds', async () => {
    for (const call of await everyCall(client)) {
      const missing = call.target.includes('/notifications/9');
      expect([call.id, ...outcome(await make(client, call))]).toEqual([
        call.id,
        ...(missing ? [404, 2303] : [200, 1000]),
      ]);
    }
  });

  test(`failure: ${row('bad credentials')} missing, wrong, unknown and malformed credentials get the same text`, async () => {
    const [first, ...others] = await everyCall(client);
    const texts = new Set<string>();
    const attempts = [
      ...[undefined, 'alpha:wrong', 'nobody:alpha-sandbox-password', 'alpha', ':', 'alpha:'].map(
        (credentials) => ({ call: first, credentials }),
      ),
      ...others.map((call) => ({ call, credentials: undefined })),
    ];
    for (const { call = expect.fail(), credentials } of attempts) {
      const reply = await make(new Client(registry.url, credentials), call);
      expect([call.id, ...outcome(reply)]).toEqual([call.id, ...expected('bad credentials')]);
      expect(reply.headers.get('www-authenticate')).toBe('Basic realm="registrar", charset="UTF-8"');
      texts.add(reply.text);
    }
    expect([...texts]).toEqual(['{"code":2202,"message":"Invalid authorization information","data":{}}']);
  });

  test(`failure: ${row('role without the right')} a billing user may not access objects`, async () => {
    for (const call of (await everyCall(client)).filter(({ id }) => !MONEY.has(id))) {
      expect([call.id, ...outcome(await make(alphaBilling(registry.url), call))]).toEqual([
        call.id,
        ...expected('role without the right'),
      ]);
    }
  });

  test(`failure: ${row('Accept without JSON')}`, async () => {
    for (const call of await everyCall(client)) {
      expect([
        call.id,
        ...outcome(await make(client, call, { accept: 'text/html, image/png;q=0.9' })),
      ]).toEqual([call.id, ...expected('Accept without JSON')]);
    }
  });

  test(`failure: ${row('teapot')} with any body`, async () => {
    for (const call of await everyCall(client)) {
      expect([
        call.id,
        ...outcome(await make(client, call, { 'content-type': 'message/coffeepot' })),
      ]).toEqual([call.id, ...expected('teapot')]);
    }
  });

  test(`failure: ${row('unknown field')} in every query`, async () => {
    for (const call of await everyCall(client)) {
      const reply = await make(client, { ...call, target: `${call.target}?surplus=1` });
      expect([call.id, ...outcome(reply), reply.body.errors?.[0]?.field]).toEqual([
        call.id,
        ...expected('unknown field'),
        'surplus',
      ]);
    }
  });

  test(`failure: ${row('rate limit')} with Retry-After, RateLimit and RateLimit-Policy`, async () => {
    const slow = await freshRegistryForThisTest({ rateLimitPerMinute: 4 });
    const calls = await everyCall(client);
    for (let time = 0; time < 4; time++) await alpha(slow.url).get('/contacts');
    for (const call of calls) {
      const reply = await make(alpha(slow.url), call);
      expect([call.id, ...outcome(reply)]).toEqual([call.id, ...expected('rate limit')]);
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(reply.headers.get('ratelimit')).toMatch(/^"user";r=0;t=\d+$/);
      expect(reply.headers.get('ratelimit-policy')).toBe('"user";q=4;w=60');
    }
    expect((await alphaBilling(slow.url).get('/contacts')).status).toBe(403);
  });

  test(`failure: ${row('maintenance')} before any other check`, async () => {
    const calls = await everyCall(client);
    await registry.sql.run(sql`update installation set maintenance_since = now()`);
    await expect
      .poll(async () => (await new Client(registry.url).get('/contacts')).status, NOTICED)
      .toBe(503);
    for (const call of calls) {
      const reply = await make(new Client(registry.url), call);
      expect([call.id, ...outcome(reply)]).toEqual([call.id, ...expected('maintenance')]);
      expect(reply.headers.get('retry-after')).toBe('60');
    }
    await registry.sql.run(sql`update installation set maintenance_since = null`);
    await expect.poll(async () => (await client.get('/contacts')).status, NOTICED).toBe(200);
  });

  test(`failure: ${row('fault of ours')} the message holds the request id and nothing of the fault`, async () => {
    const broken = await freshRegistryForThisTest();
    const calls = await everyCall(alpha(broken.url));
    for (const table of [
      'contacts',
      'domains',
      'invoices',
      'ledger_accounts',
      'poll_messages',
      'prices',
      'webhook_endpoints',
    ])
      await broken.sql.script(`alter table ${table} rename to mislaid_${table}`);
    for (const call of calls) {
      const reply = await make(alpha(broken.url), call, { 'x-request-id': `fault-${call.id}` });
      expect([call.id, ...outcome(reply)]).toEqual([call.id, ...expected('fault of ours')]);
      expect(reply.body.message).toBe(`Command failed; request fault-${call.id}`);
    }
    expect(broken.logged()).toContain('unexpected error');
  });

  test(`failure: ${row('database away')} and back again without a restart`, async () => {
    const lonely = await freshRegistryForThisTest();
    const calls = await everyCall(alpha(lonely.url));
    await lonely.sql.run(sql`select 1`);
    const { databaseName: name } = lonely;
    await registry.sql.script(`alter database ${name} allow_connections false`);
    await registry.sql.run(
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`,
    );
    for (const call of calls) {
      const reply = await make(alpha(lonely.url), call);
      expect([call.id, ...outcome(reply)]).toEqual([call.id, ...expected('database away')]);
      expect(reply.headers.get('retry-after')).toBe('1');
    }
    await registry.sql.script(`alter database ${name} allow_connections true`);
    await expect
      .poll(async () => (await alpha(lonely.url).get('/contacts')).status, { timeout: 30_000 })
      .toBe(200);
  });

  test(`failure: ${row('overload')} more requests in flight than allowed`, async () => {
    const narrow = await freshRegistryForThisTest({ maxRequestsInFlight: 2 });
    await alpha(narrow.url).get('/contacts');
    // Requests for contacts wait for the lock, so that those beyond the bound are refused.
    const replies = await narrow.sql.begin(async (db) => {
      await db.run(sql`lock table contacts in access exclusive mode`);
      let answered = 0;
      const waiting = Array.from({ length: 5 }, async () => {
        const reply = await alpha(narrow.url).get('/contacts');
        answered += 1;
        return reply;
      });
      await expect.poll(() => answered).toBe(3);
      return { waiting };
    });
    const outcomes = (await Promise.all(replies.waiting)).map(outcome);
    expect(outcomes.filter(([status]) => status === 503)).toEqual(
      Array.from({ length: 3 }, () => expected('overload')),
    );
    expect(outcomes.filter(([status]) => status === 200)).toHaveLength(2);
    expect(outcome(await alpha(narrow.url).get('/contacts'))).toEqual([200, 1000]);
  });
});

describe('paths and methods', () => {
  test.each([['/'], ['/nowhere'], ['/contacts/a/b'], ['/contacts/'], ['/%zz']])(
    `failure: ${row('unknown path')} %s`,
    async (target) => {
      expect(outcome(await client.get(target))).toEqual(expected('unknown path'));
    },
  );

  test('failure: without credentials existing and unknown paths get the same answer', async () => {
    expect(outcome(await new Client(registry.url).get('/nowhere'))).toEqual([401, 2202]);
    expect(outcome(await new Client(registry.url).call('PATCH', '/contacts'))).toEqual([401, 2202]);
  });

  test.each([
    ['PATCH', '/contacts', 'GET, HEAD, POST'],
    ['DELETE', '/contacts', 'GET, HEAD, POST'],
    ['POST', '/contacts/mari', 'GET, HEAD, PUT, DELETE'],
    ['PUT', '/contacts/check/mari', 'GET, HEAD'],
    ['OPTIONS', '/contacts', 'GET, HEAD, POST'],
  ])(`failure: ${row('other method')} %s %s`, async (method, target, allow) => {
    const reply = await client.call(
      method,
      target,
      method === 'OPTIONS' ? {} : { raw: '{', headers: { 'content-type': 'text/plain' } },
    );
    expect(outcome(reply)).toEqual(expected('other method'));
    expect(reply.headers.get('allow')).toBe(allow);
  });
});

describe('bodies', () => {
  const json = { 'content-type': 'application/json' };
  const post = (raw: string | Uint8Array, headers: Record<string, string> = json) =>
    client.call('POST', '/contacts', { raw, headers });

  test.each([['{'], ['   '], ['{"contact":}'], ['nonsense'], ['{"a":1}{"b":2}']])(
    `failure: ${row('malformed JSON')} %s`,
    async (raw) => {
      expect(outcome(await post(raw))).toEqual(expected('malformed JSON'));
    },
  );

  test(`failure: ${row('malformed JSON')} bytes that are not UTF-8`, async () => {
    expect(outcome(await post(new Uint8Array([0x22, 0xff, 0xfe, 0x22])))).toEqual(expected('malformed JSON'));
  });

  test.each([
    ['PUT', '/contacts/x'],
    ['DELETE', '/contacts/x'],
  ])(`failure: ${row('malformed JSON')} in %s %s`, async (method, target) => {
    expect(outcome(await client.call(method, target, { raw: '{', headers: json }))).toEqual(
      expected('malformed JSON'),
    );
  });

  test.each([[''], ['{}'], ['{"contact":null}']])(
    `failure: ${row('required field missing')} in "%s"`,
    async (raw) => {
      const reply = await post(raw);
      expect([...outcome(reply), reply.body.errors?.[0]?.field]).toEqual([
        ...expected('required field missing'),
        'contact',
      ]);
    },
  );

  test.each([['[]'], ['"text"'], ['5'], ['true'], ['null'], ['{"contact":[]}']])(
    `failure: ${row('wrong type or syntax')} %s`,
    async (raw) => {
      expect(outcome(await post(raw))).toEqual(expected('wrong type or syntax'));
    },
  );

  test(`failure: ${row('unknown field')} at the top, and __proto__ is one`, async () => {
    const reply = await post(
      `{"extra":1,"__proto__":{"a":1},"contact":${JSON.stringify(newContact().contact)}}`,
    );
    expect([...outcome(reply), reply.body.errors?.map(({ field }) => field)]).toEqual([
      ...expected('unknown field'),
      ['extra', '__proto__'],
    ]);
  });

  test(`failure: ${row('body over 1 MiB')} and nothing of it is read as a contact`, async () => {
    const reply = await post(JSON.stringify(newContact({ name: 'x'.repeat(1024 * 1024) })));
    expect(outcome(reply)).toEqual(expected('body over 1 MiB'));
  });

  test(`failure: ${row('number out of range')} limit=1001`, async () => {
    expect(outcome(await client.get('/contacts?limit=1001'))).toEqual(expected('number out of range'));
  });

  test.each([
    ['text/plain'],
    ['application/xml'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
  ])(`failure: ${row('body that is not JSON')} %s`, async (type) => {
    expect(outcome(await post('{"contact":{}}', { 'content-type': type }))).toEqual(
      expected('body that is not JSON'),
    );
  });

  test('success: an empty body counts as absent, with any Content-Type', async () => {
    for (const type of ['application/json', 'text/plain', 'application/xml']) {
      const code = await createContact(client);
      expect(
        (await client.call('DELETE', `/contacts/${code}`, { raw: '', headers: { 'content-type': type } }))
          .status,
      ).toBe(200);
    }
  });

  test('success: a body without Content-Type is read as JSON', async () => {
    const raw = new TextEncoder().encode(JSON.stringify(newContact()));
    expect((await client.call('POST', '/contacts', { raw })).status).toBe(200);
  });

  test('success: application/json with a charset is JSON', async () => {
    expect(
      (await post(JSON.stringify(newContact()), { 'content-type': 'Application/JSON; charset=UTF-8' }))
        .status,
    ).toBe(200);
  });

  test.each([['application/json'], ['application/*'], ['*/*'], ['text/html, application/json;q=0.1'], ['']])(
    'success: Accept %s',
    async (accept) => {
      expect((await client.get('/contacts', { headers: { accept } })).status).toBe(200);
    },
  );

  test('failure: Accept that excludes JSON, whatever else it allows', async () => {
    expect((await client.get('/contacts', { headers: { accept: '*/*, application/json;q=0' } })).status).toBe(
      406,
    );
  });

  test('failure: Accept application/json;q=0', async () => {
    expect((await client.get('/contacts', { headers: { accept: 'application/json;q=0' } })).status).toBe(406);
  });
});

describe('objects', () => {
  test(`failure: ${row('object does not exist')}`, async () => {
    expect(outcome(await client.get('/contacts/nobody'))).toEqual(expected('object does not exist'));
  });

  test(`failure: ${row('object was removed')}`, async () => {
    const code = await createContact(client);
    await client.delete(`/contacts/${code}`);
    expect(outcome(await client.get(`/contacts/${code}`))).toEqual(expected('object was removed'));
  });

  test(`failure: ${row('failing business rule')}`, async () => {
    const id = await createContact(client);
    expect(outcome(await client.post('/contacts', newContact({ id })))).toEqual(
      expected('failing business rule'),
    );
  });
});

describe('the order of checks', () => {
  test('failure: 406 before 403 before 400 before 404', async () => {
    const billing = alphaBilling(registry.url);
    const wrong = { contact: { phone: 'x' } };
    expect((await billing.put('/contacts/nobody', wrong, { headers: { accept: 'text/html' } })).status).toBe(
      406,
    );
    expect((await billing.put('/contacts/nobody', wrong)).status).toBe(403);
    expect((await client.put('/contacts/nobody', wrong)).status).toBe(400);
    expect((await client.put('/contacts/nobody', { contact: { phone: '+372.1' } })).status).toBe(404);
  });
});

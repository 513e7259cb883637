import { afterAll, beforeAll, describe, test } from 'vitest';
import { moveBy } from '../../../src/platform/values/dates.ts';
import { alpha, alphaBilling, beta, poor } from '../../support/client.ts';
import { createContact, newContact } from '../../support/contacts.ts';
import {
  freshRegistryForThisTest,
  registryForThisTest,
  startRegistry,
  type TestRegistry,
} from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { expect } from '../../support/this-test.ts';
import { NOTICED } from '../../support/waiting.ts';

type Answer = { readonly status: number; readonly body: Record<string, string> };

async function control({ url }: TestRegistry, place: string, body?: unknown): Promise<Answer> {
  const reply = await fetch(
    `${url}/sandbox/${place}`,
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
  return { status: reply.status, body: (await reply.json()) as Record<string, string> };
}

const clockOf = async (registry: TestRegistry) => new Date((await control(registry, 'clock')).body.now ?? '');

/** The clock advances while it is moved and read: from `begun` on, by the clock of the machine. */
function expectAbout(actual: Date, expected: Date | undefined, begun = Date.now()): void {
  const late = actual.getTime() - (expected?.getTime() ?? 0);
  expect(late).toBeGreaterThan(-10_000);
  expect(late).toBeLessThan(10_000 + Date.now() - begun);
}

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry.stop());

describe('the clock', () => {
  test('success: it starts as the wall clock', async () => {
    const fresh = await registryForThisTest();
    expectAbout(await clockOf(fresh), new Date());
  });

  test.each(['PT1H', 'P15D', 'P1M', 'P1Y', 'P1Y2M3DT4H5M6S'])('success: %s forward', async (advance) => {
    const before = await clockOf(registry);
    const { status, body } = await control(registry, 'clock', { advance });
    expect(status).toBe(200);
    expectAbout(new Date(body.now ?? ''), moveBy(before, advance, 'Europe/Tallinn'));
    expectAbout(await clockOf(registry), new Date(body.now ?? ''));
  });

  test('success: set to a moment in any offset', async () => {
    const target = new Date((await clockOf(registry)).getTime() + 86_400_000);
    const written = target.toISOString().replace('Z', '+00:00');
    expect((await control(registry, 'clock', { set: written })).status).toBe(200);
    expectAbout(await clockOf(registry), target);
  });

  test('success: of concurrent moves each starts where the one before ended', async () => {
    const begun = Date.now();
    const before = await clockOf(registry);
    const moves = await Promise.all([1, 2, 3].map(() => control(registry, 'clock', { advance: 'P1D' })));
    expect(moves.map(({ status }) => status)).toEqual([200, 200, 200]);
    expectAbout(await clockOf(registry), moveBy(before, 'P3D', 'Europe/Tallinn'), begun);
  });

  test('failure: more concurrent moves than may wait', async () => {
    const begun = Date.now();
    const before = await clockOf(registry);
    const moves = await Promise.all(
      Array.from({ length: 60 }, () => control(registry, 'clock', { advance: 'PT1H' })),
    );
    const refused = moves.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const move of refused)
      expect(move).toEqual({ status: 503, body: { error: 'Too many moves of the clock wait already.' } });
    const hours = `PT${moves.length - refused.length}H`;
    expectAbout(await clockOf(registry), moveBy(before, hours, 'Europe/Tallinn'), begun);
  });

  test.each([[{ set: '2020-01-01T00:00:00Z' }], [{ advance: '-P1D' }], [{ advance: '-PT1H' }]])(
    'failure: backwards %j',
    async (body) => {
      const before = await clockOf(registry);
      const { status, body: answer } = await control(registry, 'clock', body);
      expect([status, answer.error]).toEqual([400, expect.stringMatching(/only moves forward/)]);
      expectAbout(await clockOf(registry), before);
    },
  );

  test.each([
    [{}],
    [[]],
    [{ advance: 'tomorrow' }],
    [{ advance: 5 }],
    [{ advance: '' }],
    [{ set: '2050-01-01' }],
    [{ set: '2050-01-01T00:00:00' }],
    [{ set: 2_524_608_000 }],
    [{ back: 'P1D' }],
  ])('failure: malformed %j', async (body) => {
    const before = await clockOf(registry);
    const { status, body: answer } = await control(registry, 'clock', body);
    expect([status, answer.error]).toEqual([400, expect.stringMatching(/^Give /)]);
    expectAbout(await clockOf(registry), before);
  });

  test.each([[{ advance: 'P9000Y' }], [{ set: '+012000-01-01T00:00:00Z' }]])(
    'failure: beyond the range of the database %j',
    async (body) => {
      const far = await registryForThisTest();
      expect((await control(far, 'clock', body)).status).toBe(400);
      expectAbout(await clockOf(far), new Date());
      expect((await alpha(far.url).get('/contacts')).status).toBe(200);
    },
  );

  test('success: moving it runs the jobs that became due', async () => {
    const own = await registryForThisTest();
    const key = { headers: { 'idempotency-key': 'due' } };
    expect((await alpha(own.url).post('/contacts', newContact(), key)).status).toBe(200);
    const keys = () => own.sql.rows(sql`select count(*)::int as count from idempotency_keys`);
    await control(own, 'clock', { advance: 'P1D' });
    expect(await keys()).toEqual([{ count: 1 }]);
    await control(own, 'clock', { advance: 'P2D' });
    expect(await keys()).toEqual([{ count: 0 }]);
    const [job] = await own.sql.rows(
      sql`select finished_at, failures from jobs where name = 'delete old idempotency keys'`,
    );
    expectAbout(job?.finished_at, await clockOf(own));
    expect(job?.failures).toBe(0);
  });

  test('success: later changes have the new time', async () => {
    await control(registry, 'clock', { advance: 'P1Y' });
    const code = await createContact(alpha(registry.url));
    const [contact] = await registry.sql.rows(sql`select created_at from contacts where code = ${code}`);
    expectAbout(contact?.created_at, await clockOf(registry));
  });
});

describe.concurrent('reset', () => {
  test('success: data, money, clock, switches and history are those of the seed, with the same credentials', async () => {
    const own = await registryForThisTest();
    const seeded = await picture(own);
    await createContact(alpha(own.url));
    await control(own, 'topup', { registrar: 'POOR', amount: '10.00' });
    await control(own, 'clock', { advance: 'P1Y' });
    await own.sql.run(sql`update api_users set disabled_at = now() where username = 'beta'`);
    await own.sql.run(sql`insert into registrars (code, name, created_at) values ('EXTRA', 'Extra', now())`);
    expect(await picture(own)).not.toEqual(seeded);

    expect(await control(own, 'reset', {})).toMatchObject({ status: 200, body: { status: 'reset' } });
    expect(await picture(own)).toEqual(seeded);
    expectAbout(await clockOf(own), new Date());
    for (const client of [alpha, beta, poor])
      await expect.poll(async () => (await client(own.url).get('/contacts')).body.code, NOTICED).toBe(1000);
    expect((await alphaBilling(own.url).get('/contacts')).status).toBe(403);
  });

  test('success: it ends maintenance', async () => {
    const own = await registryForThisTest();
    await own.sql.run(sql`update installation set maintenance_since = now()`);
    await expect.poll(async () => (await alpha(own.url).get('/contacts')).status, NOTICED).toBe(503);
    await control(own, 'reset', {});
    await expect.poll(async () => (await alpha(own.url).get('/contacts')).status, NOTICED).toBe(200);
  });

  test('success: two concurrent resets under load, without an internal error', async () => {
    const own = await registryForThisTest();
    const client = alpha(own.url);
    await client.get('/contacts');
    for (let round = 0; round < 4; round += 1) {
      const [one, two, ...replies] = await Promise.all([
        control(own, 'reset', {}),
        control(own, 'reset', {}),
        ...Array.from({ length: 12 }, () => client.post('/contacts', newContact())),
      ]);
      expect([one.status, two.status]).toEqual([200, 200]);
      expect(replies.map(({ status }) => status).filter((status) => ![200, 503].includes(status))).toEqual(
        [],
      );
    }
    expect((await client.post('/contacts', newContact())).status).toBe(200);
  });
});

/** The state that a reset must restore, without times and secrets. */
async function picture({ sql: db }: TestRegistry) {
  return {
    registrars: await db.rows(sql`select id, code, name, website, suspended_at from registrars order by id`),
    users: await db.rows(
      sql`select registrar_id, username, roles, disabled_at from api_users order by username`,
    ),
    accounts: await db.rows(
      sql`select id, kind, registrar_id, balance from ledger_accounts order by kind, registrar_id`,
    ),
    entries: await db.rows(sql`select amount, operation, balance_after from ledger_entries order by id`),
    contacts: await db.rows(sql`select count(*)::int as count from contacts`),
    history: await db.rows(
      sql`select object_kind, object_name, operation from history order by object_kind, object_name`,
    ),
  };
}

describe('top-up', () => {
  test('success: it books a credit and returns the balance', async () => {
    const own = await registryForThisTest();
    expect(await control(own, 'topup', { registrar: 'POOR', amount: '50' })).toEqual({
      status: 200,
      body: { registrar: 'POOR', balance: '55.00' },
    });
    const many = await Promise.all(
      Array.from({ length: 10 }, () => control(own, 'topup', { registrar: 'POOR', amount: '0.01' })),
    );
    expect(many.map(({ body }) => body.balance).sort()).toEqual(
      Array.from({ length: 10 }, (_, count) => `55.${String(count + 1).padStart(2, '0')}`),
    );
    const [entry] = await own.sql.rows(sql`select amount, operation, balance_after from ledger_entries
      where operation = 'top-up' order by id limit 1`);
    expect(entry).toEqual({ amount: 5000, operation: 'top-up', balance_after: 5500 });
  });

  test.each(['NOBODY', 'poor', ''])('failure: there is no registrar %j', async (registrar) => {
    expect((await control(registry, 'topup', { registrar, amount: '1.00' })).status).toBe(404);
  });

  test.each(['0.00', '-1.00', '1.555', '1,00', 'much', '', 1, null, '99999999999999.00'])(
    'failure: %j is not a valid amount',
    async (amount) => {
      const { status, body } = await control(registry, 'topup', { registrar: 'POOR', amount });
      expect([status, body.error]).toEqual([400, expect.stringMatching(/^Give /)]);
      expect(
        await registry.sql.rows(
          sql`select count(*)::int as count from ledger_entries where operation = 'top-up'`,
        ),
      ).toEqual([{ count: 0 }]);
    },
  );
});

test('failure: while the database is away controls, simulators and their pages answer 503, and afterwards as before', async () => {
  const own = await freshRegistryForThisTest();
  const send = (place: string, init: RequestInit = {}) => fetch(`${own.url}/sandbox/${place}`, init);
  const json = { 'content-type': 'application/json' };
  const authorization = `Basic ${Buffer.from('provider-sandbox-user:provider-sandbox-secret').toString('base64')}`;
  const lookUp = () =>
    send('provider/payments/none?api_username=provider-sandbox-user', { headers: { authorization } });
  const answers = async () => {
    const topUp = { registrar: 'POOR', amount: '1.00' };
    const replies = await Promise.all([
      send('mail'),
      send('mail', { headers: { accept: 'text/html' } }),
      send('deliveries'),
      send('invoices/1'),
      send('topup', { method: 'POST', headers: json, body: JSON.stringify(topUp) }),
      send('provider/payments/none/state', {
        method: 'POST',
        headers: json,
        body: '{"payment_state":"settled"}',
      }),
      send('provider/pay/none'),
      send('provider/receipt/none'),
      lookUp(),
    ]);
    return replies.map(({ status, headers }) => [status, headers.has('retry-after')]);
  };
  await registry.sql.script(`alter database ${own.databaseName} allow_connections false`);
  await registry.sql.run(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${own.databaseName}`,
  );
  expect(await answers()).toEqual(Array.from({ length: 9 }, () => [503, true]));
  const page = await (await send('provider/pay/none')).text();
  expect(page).toContain('The payment provider is not available');
  expect(await (await lookUp()).json()).toEqual({ error: { code: 5003, message: 'Service unavailable' } });
  await registry.sql.script(`alter database ${own.databaseName} allow_connections true`);
  await expect
    .poll(async () => (await answers()).map(([status]) => status))
    .toEqual([200, 200, 200, 404, 200, 404, 404, 404, 404]);
});

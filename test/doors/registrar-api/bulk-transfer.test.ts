import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alpha, alphaBilling, beta, type Client, poor } from '../../support/client.ts';
import { freshCode } from '../../support/contacts.ts';
import { balanceOf, firstFailure, freshName, outcome, Registrant } from '../../support/domains.ts';
import { startRegistry, type TestRegistry } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';
import { setStatuses } from '../../support/statuses.ts';
import { codeOf, messagesAbout, newRegistrant, purge, take, wrongCodesFor } from '../../support/transfers.ts';
import { whileChanging } from '../../support/waiting.ts';

let registry: TestRegistry;
let losing: Client;
let gaining: Client;
let mari: Registrant;
beforeAll(async () => {
  registry = await startRegistry();
  losing = alpha(registry.url);
  gaining = beta(registry.url);
  mari = await Registrant.of(losing);
});
afterAll(() => registry.stop());

type Wish = { domain_name: string; transfer_code: string };
const takeAll = (requests: unknown, headers: Record<string, string> = {}, by = gaining) =>
  by.post('/domains/transfer', { data: { domain_transfers: requests } }, { headers });
const TYPE = 'domain_transfer';
const succeeded = (...names: string[]) => names.map((name) => ({ type: TYPE, domain_name: name }));
const failed = (domain_name: string, code: string, msg: string) => ({
  type: TYPE,
  domain_name,
  errors: { code, msg },
});
const UNKNOWN = ['2303', 'Object does not exist'] as const;
const WRONG = ['2202', 'Invalid authorization information: wrong transfer_code'] as const;
const sponsorOf = async (name: string): Promise<string> =>
  (await losing.get(`/domains/${name}`)).body.data.domain.registrar.name;

/** A domain of the losing registrar, and its transfer code. */
async function transferRequest(changes: Record<string, unknown> = {}): Promise<Wish> {
  const name = await mari.register(changes);
  return { domain_name: name, transfer_code: await codeOf(losing, name) };
}
const requests = (count: number) => Promise.all(Array.from({ length: count }, () => transferRequest()));

describe('POST /domains/transfer', () => {
  test('success: all of them, in the order of the request', async () => {
    const all = await requests(3);
    const names = all.map(({ domain_name }) => domain_name);
    const before = await Promise.all([losing, gaining].map(balanceOf));
    const reply = await takeAll(all);
    expect([reply.body.message, reply.body.data]).toEqual([
      'Command completed successfully',
      { success: succeeded(...names), failed: [] },
    ]);
    for (const { domain_name: name, transfer_code: code } of all) {
      expect(await sponsorOf(name)).toBe('Beta Registrar');
      expect(await codeOf(gaining, name)).toMatch(/^[0-9a-f]{32}$/);
      expect(await codeOf(gaining, name)).not.toBe(code);
      expect((await messagesAbout(losing, name)).map(({ type }) => type)).toEqual(['transferred_away']);
      expect((await messagesAbout(gaining, name)).map(({ type }) => type)).toEqual(['transferred_in']);
    }
    expect(await Promise.all([losing, gaining].map(balanceOf))).toEqual(before);
  });

  test('success: each on its own: one that fails does not prevent the others, and has its reason', async () => {
    const [good, wrong, held, toBeDeleted, last] = [
      await transferRequest(),
      await transferRequest(),
      await transferRequest(),
      await transferRequest(),
      await transferRequest(),
    ];
    await setStatuses(registry.sql, held.domain_name, { serverTransferProhibited: '' });
    await setStatuses(registry.sql, toBeDeleted.domain_name, { deleteCandidate: '' });
    const own = await (await Registrant.of(gaining)).register();
    const unknown = freshName();
    const reply = await takeAll([
      { ...wrong, transfer_code: 'a guess' },
      good,
      { domain_name: unknown, transfer_code: 'a guess' },
      held,
      { domain_name: own, transfer_code: await codeOf(gaining, own) },
      toBeDeleted,
      last,
    ]);
    expect([...outcome(reply), reply.body.data]).toEqual([
      200,
      1000,
      {
        success: succeeded(good.domain_name, last.domain_name),
        failed: [
          failed(wrong.domain_name, ...WRONG),
          failed(unknown, ...UNKNOWN),
          failed(held.domain_name, '2304', 'Object status prohibits operation: serverTransferProhibited'),
          failed(own, '2002', 'Domain already belongs to the querying registrar'),
          failed(toBeDeleted.domain_name, '2106', 'Object is not eligible for transfer'),
        ],
      },
    ]);
    for (const { domain_name: name } of [good, last]) expect(await sponsorOf(name)).toBe('Beta Registrar');
    for (const { domain_name: name } of [wrong, held, toBeDeleted])
      expect(await sponsorOf(name)).toBe('Alpha Registrar');
  });

  test('success: where all fail the call is still a success', async () => {
    const name = freshName();
    const reply = await takeAll([{ domain_name: name, transfer_code: 'a guess' }]);
    expect([...outcome(reply), reply.body.data]).toEqual([
      200,
      1000,
      { success: [], failed: [failed(name, ...UNKNOWN)] },
    ]);
  });

  test('success: names in any spelling are returned normalised, invalid names as sent', async () => {
    const { domain_name: name, transfer_code } = await transferRequest({ name: `${freshCode()}õ.ee` });
    const puny = new URL(`http://${name}`).hostname.toUpperCase();
    const reply = await takeAll([
      { domain_name: 'No Name At All', transfer_code },
      { domain_name: ` ${puny} `, transfer_code },
    ]);
    expect(reply.body.data).toEqual({
      success: succeeded(name),
      failed: [failed('No Name At All', ...UNKNOWN)],
    });
  });

  test('failure: a name twice, in any spelling, is transferred once', async () => {
    const one = await transferRequest();
    const { domain_name: name } = one;
    const reply = await takeAll([one, { ...one, domain_name: name.toUpperCase() }]);
    expect(reply.body.data).toEqual({
      success: succeeded(name),
      failed: [failed(name, '2005', `A domain is named twice: ${name}`)],
    });
    expect(await messagesAbout(losing, name)).toHaveLength(1);
  });

  test('success: contacts of several of them are copied once', async () => {
    const jaan = await newRegistrant(losing);
    const names = [await jaan.register(), await jaan.register({ tech_contacts: [jaan.code] })];
    const all = await Promise.all(
      names.map(async (name) => ({ domain_name: name, transfer_code: await codeOf(losing, name) })),
    );
    const before = (await gaining.get('/contacts?limit=1')).body.data.count;
    expect((await takeAll(all)).body.data.success).toHaveLength(2);
    expect((await gaining.get('/contacts?limit=1')).body.data.count).toBe(before + 1);
    const holders = await Promise.all(
      names.map(async (name) => (await gaining.get(`/domains/${name}`)).body.data.domain.registrant.code),
    );
    expect(new Set(holders).size).toBe(1);
  });

  test('success: a removed domain that the registrar had sponsored is not found, like any other', async () => {
    const one = await transferRequest();
    await purge(registry.sql, one.domain_name);
    expect((await takeAll([one], {}, losing)).body.data.failed).toEqual([
      failed(one.domain_name, ...UNKNOWN),
    ]);
  });

  test('success: a domain that a concurrent transaction transferred to another registrar', async () => {
    const one = await transferRequest();
    const reply = await whileChanging(
      registry.sql,
      one.domain_name,
      (db) =>
        db.rows(sql`
        update domains set transfer_code = 'another-code', registrar_id = (select id from registrars where code = 'POOR')
        where name = ${one.domain_name}`),
      () => takeAll([one]),
    );
    expect(reply.body.data).toEqual({ success: [], failed: [failed(one.domain_name, ...WRONG)] });
  });

  test('success: 1,000 at once', async () => {
    const run = freshCode();
    await registry.sql.run(sql`
      insert into domains (name, zone, registrar_id, registrant_id, transfer_code, created_at, updated_at, expire_time)
      select ${run} || '-' || n || '.ee', 'ee', c.registrar_id, c.id, 'some-transfer-code', now(), now(), now() + interval '1 year'
      from contacts c, generate_series(1, 999) as n where c.code = ${mari.code}`);
    const all = Array.from({ length: 1000 }, (_, index) => ({
      domain_name: `${run}-${index}.ee`,
      transfer_code: 'some-transfer-code',
    }));
    const { data } = (await takeAll(all)).body;
    expect([data.success.length, data.failed]).toEqual([999, [failed(`${run}-0.ee`, ...UNKNOWN)]]);
    const [taken] = await registry.sql.rows(sql`
      select count(*)::int as domains, count(distinct registrant_id)::int as holders, count(distinct transfer_code)::int as codes
      from domains d join registrars r on r.id = d.registrar_id where r.code = 'BETA' and d.name like ${`${run}-%`}`);
    expect(taken).toEqual({ domains: 999, holders: 1, codes: 999 });
  });
});

describe('what is refused as a whole', () => {
  const item = { domain_name: 'a.ee', transfer_code: 'a guess' };
  test.each([
    [undefined, 2003, 'data'],
    [{}, 2003, 'data'],
    [{ data: null }, 2003, 'data'],
    [{ data: {} }, 2003, 'data.domain_transfers'],
    [{ data: { domain_transfers: [] } }, 2003, 'data.domain_transfers'],
    [{ data: { domain_transfers: 'a.ee' } }, 2005, 'data.domain_transfers'],
    [{ data: { domain_transfers: ['a.ee'] } }, 2005, 'data.domain_transfers.0'],
    [{ data: { domain_transfers: [item, {}] } }, 2003, 'data.domain_transfers.1.domain_name'],
    [
      { data: { domain_transfers: [{ domain_name: 'a.ee' }] } },
      2003,
      'data.domain_transfers.0.transfer_code',
    ],
    [
      { data: { domain_transfers: [{ ...item, transfer_code: '' }] } },
      2003,
      'data.domain_transfers.0.transfer_code',
    ],
    [
      { data: { domain_transfers: [{ ...item, domain_name: '' }] } },
      2003,
      'data.domain_transfers.0.domain_name',
    ],
    [{ data: { domain_transfers: [{ ...item, more: 1 }] } }, 2005, 'data.domain_transfers.0.more'],
    [{ domain_transfers: [item] }, 2003, 'data'],
  ])('failure: %j', async (body, code, field) => {
    expect(firstFailure(await gaining.post('/domains/transfer', body))).toEqual([400, code, field]);
  });

  test('failure: 1,001 at once, and none of them is done', async () => {
    const good = await transferRequest();
    const others = Array.from({ length: 1000 }, (_, index) => ({ ...item, domain_name: `none-${index}.ee` }));
    expect(firstFailure(await takeAll([good, ...others]))).toEqual([400, 2004, 'data.domain_transfers']);
    expect(await sponsorOf(good.domain_name)).toBe('Alpha Registrar');
  });

  test('failure: a billing user', async () => {
    expect(outcome(await takeAll([item], {}, alphaBilling(registry.url)))).toEqual([403, 2201]);
  });
});

describe('guessing codes in bulk', () => {
  const TOO_MANY = expect.stringMatching(/^Too many wrong codes for this name; try again in \d+ s$/);
  const codes = (reply: Awaited<ReturnType<typeof takeAll>>): string[] =>
    reply.body.data.failed.map(({ errors }: { errors: { code: string } }) => errors.code);

  test('failure: after ten wrong codes of a registrar also its right one; other names and registrars are not affected', async () => {
    const [closed, open] = [await transferRequest(), await transferRequest()];
    for (let guess = 0; guess < 10; guess++) {
      await take(gaining, closed.domain_name, 'a guess');
      await take(poor(registry.url), open.domain_name, 'a guess');
    }
    const reply = await takeAll([closed, open]);
    expect([...outcome(reply), reply.body.data]).toEqual([
      200,
      1000,
      {
        success: succeeded(open.domain_name),
        failed: [{ ...failed(closed.domain_name, '2502', ''), errors: { code: '2502', msg: TOO_MANY } }],
      },
    ]);
  });

  test('failure: ten guesses in one request count as ten; the right code after them is refused', async () => {
    const one = await transferRequest();
    const guesses = Array.from({ length: 12 }, (_, index) => ({ ...one, transfer_code: `guess ${index}` }));
    const reply = await takeAll([...guesses, one]);
    expect(codes(reply)).toEqual([...Array(10).fill('2202'), '2502', '2502', '2502']);
    expect(await sponsorOf(one.domain_name)).toBe('Alpha Registrar');
    expect((await messagesAbout(losing, one.domain_name)).map(({ type }) => type)).toEqual(['wrong_codes']);
    expect(outcome(await take(gaining, one.domain_name, one.transfer_code))).toEqual([429, 2502]);
  });

  test('failure: ten guesses in concurrent requests count as ten', async () => {
    const one = await transferRequest();
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, request) =>
        takeAll(
          Array.from({ length: 5 }, (_, guess) => ({ ...one, transfer_code: `guess ${request} ${guess}` })),
        ),
      ),
    );
    expect(replies.flatMap(codes).filter((code) => code === '2202')).toHaveLength(10);
    expect(replies.flatMap(codes).filter((code) => code === '2502')).toHaveLength(30);
    expect((await messagesAbout(losing, one.domain_name)).map(({ type }) => type)).toEqual(['wrong_codes']);
  });

  test('success: wrong codes for the registrar’s own domains do not count', async () => {
    const one = await transferRequest();
    const own = Array.from({ length: 12 }, () => ({ ...one, transfer_code: 'a guess' }));
    expect(codes(await takeAll(own, {}, losing))).toEqual(Array(12).fill('2202'));
    expect(await wrongCodesFor(registry.sql, one.domain_name)).toBe(0);
    expect(outcome(await take(gaining, one.domain_name, one.transfer_code))).toEqual([200, 1000]);
  });

  test('failure: a dry run counts too', async () => {
    const one = await transferRequest();
    await takeAll([{ ...one, transfer_code: 'a guess' }], { 'dry-run': 'true' });
    expect(await wrongCodesFor(registry.sql, one.domain_name)).toBe(1);
  });
});

describe('replays and dry runs', () => {
  test('success: the same key gets the same answer, wrong codes are not counted again', async () => {
    const [good, wrong] = [
      await transferRequest(),
      { ...(await transferRequest()), transfer_code: 'a guess' },
    ];
    const key = { 'idempotency-key': freshCode() };
    const first = await takeAll([good, wrong], key);
    const second = await takeAll([good, wrong], key);
    expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect(first.body.data.success).toEqual(succeeded(good.domain_name));
    expect(await wrongCodesFor(registry.sql, wrong.domain_name)).toBe(1);
    expect(await messagesAbout(losing, good.domain_name)).toHaveLength(1);
    expect(firstFailure(await takeAll([good], key))).toEqual([400, 2005, 'Idempotency-Key']);
  });

  test('success: without a key those that are already transferred fail with their used code', async () => {
    const good = await transferRequest();
    await takeAll([good]);
    expect((await takeAll([good])).body.data).toEqual({
      success: [],
      failed: [failed(good.domain_name, ...WRONG)],
    });
  });

  test('success: a dry run returns what would be done, and does nothing', async () => {
    const [good, held] = [await transferRequest(), await transferRequest()];
    await setStatuses(registry.sql, held.domain_name, { pendingUpdate: '' });
    const before = (await losing.get(`/domains/${good.domain_name}`)).text;
    const reply = await takeAll([good, held], { 'dry-run': 'true', 'idempotency-key': freshCode() });
    expect(reply.body.data).toEqual({
      success: succeeded(good.domain_name),
      failed: [failed(held.domain_name, '2304', 'Object status prohibits operation: pendingUpdate')],
      dry_run: { price: '0.00', balance_after: await balanceOf(gaining) },
    });
    expect((await losing.get(`/domains/${good.domain_name}`)).text).toBe(before);
    expect(await messagesAbout(losing, good.domain_name)).toEqual([]);
  });
});

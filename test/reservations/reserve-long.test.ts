import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { lockInvoices } from '../../src/billing/invoices/invoice-store.ts';
import { Refused } from '../../src/operations/refusal.ts';
import { ee } from '../../src/policy/ee.ts';
import type { NameState } from '../../src/registry/names/availability.ts';
import { applyInvoiceChanges } from '../../src/reservations/apply-invoice-changes.ts';
import { chooseNames } from '../../src/reservations/reserve-long.ts';
import { call, Payer } from '../support/billing.ts';
import { alpha } from '../support/client.ts';
import { freshName, Registrant } from '../support/domains.ts';
import { isAfter, Portal } from '../support/portal.ts';
import { startRegistry, type TestRegistry } from '../support/registry.ts';
import { runningTime } from '../support/running-time.ts';
import { sql } from '../support/sql.ts';

/** Paid reservations: the effects of payments on names, and of names on payments. */
let registry: TestRegistry;
let portal: Portal;
let payer: Payer;
beforeAll(async () => {
  registry = await startRegistry();
  [portal, payer] = [new Portal(registry.url), new Payer(registry.url)];
});
afterAll(() => registry.stop());

type Claim = {
  readonly number: number;
  readonly id: string;
  readonly link: string;
  readonly names: string[];
};

async function claim(...names: string[]): Promise<Claim> {
  const { status, body } = await portal.reserveLong(...names);
  expect(status).toBe(201);
  return {
    number: body.invoice_number,
    id: body.user_unique_id,
    link: body.linkpay_url,
    names: body.available_domains,
  };
}
const statusOf = ({ number, id }: Claim) => portal.longStatus(number, id);
const becomes = (claimed: Claim, expected: object) =>
  vi.waitFor(async () => expect(await statusOf(claimed)).toMatchObject(expected), {
    interval: 30,
  });
const register = async (changes: Record<string, unknown>) =>
  (await Registrant.of(alpha(registry.url))).try(changes);
const standing = async (reference: string): Promise<number> => {
  const [row] = await registry.sql.rows(sql<{ standing: number }>`
    select standing_amount as standing from payments where reference = ${reference}`);
  return row?.standing ?? -1;
};

describe('the names of a paid reservation', () => {
  const state = (name: string, details: Partial<NameState> = {}): NameState => ({
    name,
    registered: false,
    blocked: false,
    reservationCode: null,
    disputeCode: null,
    ...details,
  });
  const free = state('free.ee');
  const taken = state('taken.ee', { registered: true });
  const held = state('held.ee', { reservationCode: 'code' });

  test("success: those that are available, and those that the user's free reservation holds", () => {
    expect(chooseNames([taken, free, held], [])).toEqual({ names: ['free.ee'], from: null });
    expect(chooseNames([held, taken, free], [{ name: 'held.ee', reservationId: 7 }])).toEqual({
      names: ['held.ee', 'free.ee'],
      from: 7,
    });
  });

  test('success: a free reservation that holds other names is not taken over', () => {
    expect(chooseNames([free], [{ name: 'other.ee', reservationId: 7 }])).toEqual({
      names: ['free.ee'],
      from: null,
    });
  });

  test('failure: none is available', () => {
    expect(() => chooseNames([taken, held], [])).toThrow(Refused);
    expect(() => chooseNames([], [{ name: 'held.ee', reservationId: 7 }])).toThrow(Refused);
  });
});

describe('a paid reservation', () => {
  test('success: nothing is held before it is paid; then each name has its code, for a year from the payment', async () => {
    const [one, two] = [freshName(), freshName()];
    const claimed = await claim(one, two);
    expect(await statusOf(claimed)).toEqual({
      status: 'pending',
      message: expect.any(String),
      names: [one, two],
      linkpay_url: claimed.link,
    });
    const check = async (name: string) =>
      (await alpha(registry.url).get(`/domains/check/${name}`)).body.data.domain;
    expect(await check(one)).toMatchObject({ available: true });
    const clock = async () => new Date((await call(`${registry.url}/sandbox/clock`, {})).body.now);
    const before = await clock();
    await payer.pay(claimed.link);
    await becomes(claimed, { status: 'paid' });
    const { reserved_domains: entries } = await statusOf(claimed);
    expect(entries).toMatchObject([
      { name: one, status: 'reserved', password: expect.stringMatching(/^[0-9a-f]{32}$/) },
      { name: two, status: 'reserved' },
    ]);
    expect(isAfter('P1Y', new Date(entries[0].expire_at), before, await clock())).toBe(true);
    expect(await check(one)).toMatchObject({ available: false, reason: 'reserved' });
    expect((await register({ name: one, reserved_pw: entries[0].password })).status).toBe(200);
    expect((await statusOf(claimed)).reserved_domains).toMatchObject([
      { name: one, status: 'registered' },
      { name: two, status: 'reserved' },
    ]);
  });

  test('success: the share of names that others registered meanwhile is refunded, and only that', async () => {
    const [mine, registered, reserved] = [freshName(), freshName(), freshName()];
    const claimed = await claim(mine, registered, reserved);
    await register({ name: registered });
    await portal.reserve(reserved);
    const reference = await payer.pay(claimed.link);
    await becomes(claimed, {
      status: 'paid',
      reserved_domains: [
        { name: mine, status: 'reserved' },
        { name: registered, status: 'registered' },
        { name: reserved, status: 'expired' },
      ],
    });
    await vi.waitFor(async () => expect(await standing(reference)).toBe(1000));
    expect((await payer.invoice(claimed.number)).status).toBe('paid');
    expect((await statusOf(claimed)).reserved_domains[2]).not.toHaveProperty('password');
  });

  test('success: when all are taken the invoice is cancelled, and a later payment is refunded', async () => {
    const name = freshName();
    const claimed = await claim(name);
    await register({ name });
    expect(await statusOf(claimed)).toMatchObject({ status: 'cancelled', names: [name] });
    expect(await statusOf(claimed)).not.toHaveProperty('linkpay_url');
    const reference = await payer.pay(claimed.link);
    await vi.waitFor(async () => expect(await standing(reference)).toBe(0));
    expect((await statusOf(claimed)).status).toBe('cancelled');
  });

  test('success: the first payment that settles wins, the other is refunded', async () => {
    const name = freshName();
    const [first, second] = [await claim(name), await claim(name)];
    expect(second.number).not.toBe(first.number);
    await payer.pay(second.link);
    await becomes(second, { status: 'paid', reserved_domains: [{ name, status: 'reserved' }] });
    const late = await payer.pay(first.link);
    await vi.waitFor(async () => expect(await standing(late)).toBe(0));
    await becomes(first, { status: 'cancelled' });
    expect((await statusOf(second)).reserved_domains).toMatchObject([{ name, status: 'reserved' }]);
  });

  test.each(['refunded', 'chargebacked'])(
    'success: %s releases the names that were not registered yet',
    async (state) => {
      const [kept, used] = [freshName(), freshName()];
      const claimed = await claim(kept, used);
      const reference = await payer.pay(claimed.link);
      await becomes(claimed, { status: 'paid' });
      const { reserved_domains: entries } = await statusOf(claimed);
      await register({ name: used, reserved_pw: entries[1].password });
      await payer.move(reference, state);
      await becomes(claimed, { status: 'cancelled', names: [kept, used] });
      expect((await register({ name: kept })).status).toBe(200);
    },
  );

  test('success: reading its status repairs a lost callback of a known attempt', async () => {
    const claimed = await claim(freshName());
    const reference = await payer.pay(claimed.link, 'waiting_for_sca');
    await becomes(claimed, { status: 'pending' });
    await vi.waitFor(async () => expect((await payer.invoice(claimed.number)).payments).toHaveLength(1));
    await payer.advance('PT6S');
    await payer.move(reference, 'settled', { callback: false });
    await payer.advance('PT6S');
    expect(await statusOf(claimed)).toMatchObject({ status: 'paid' });
  });

  test('success: with an unavailable provider the last known state is returned, never an error', async () => {
    const claimed = await claim(freshName());
    await payer.pay(claimed.link, 'waiting_for_sca');
    await vi.waitFor(async () => expect((await payer.invoice(claimed.number)).payments).toHaveLength(1));
    await payer.advance('PT6S');
    await payer.fault('provider', 'slow', 3);
    const passed = runningTime();
    expect(await statusOf(claimed)).toMatchObject({ status: 'pending' });
    expect(passed()).toBeLessThan(4_000);
    await payer.fault('provider', 'none');
  });

  test('success: a declined attempt reads failed, another amount error, a due date that passed unpaid', async () => {
    const [declined, other, late] = [
      await claim(freshName()),
      await claim(freshName()),
      await claim(freshName()),
    ];
    await payer.pay(declined.link, 'failed');
    await becomes(declined, {
      status: 'failed',
      message: 'The payment failed',
      linkpay_url: declined.link,
    });
    await payer.pay(other.link, 'settled', { amount: '5.00' });
    await becomes(other, { status: 'error', message: 'The payment has to be looked at by a person' });
    await payer.pay(declined.link);
    await becomes(declined, { status: 'paid' });
    await payer.advance('P32D');
    expect(await statusOf(late)).toEqual({
      status: 'unpaid',
      message: 'The invoice was not paid by its due date',
      names: late.names,
      linkpay_url: late.link,
    });
    await payer.pay(late.link);
    await becomes(late, { status: 'paid' });
  });

  test('success: the year ends once, however often its status is read', async () => {
    const claimed = await claim(freshName());
    await payer.pay(claimed.link);
    await becomes(claimed, { status: 'paid' });
    await payer.advance('P366D');
    const { reserved_domains: entries } = await statusOf(claimed);
    expect(entries).toEqual([{ name: claimed.names[0], status: 'expired' }]);
    const taken = await portal.reserve(claimed.names[0] ?? '');
    expect(taken.status).toBe(201);
    expect((await statusOf(claimed)).reserved_domains).toEqual(entries);
  });

  test('success: a name taken at the moment of the payment stays with its holder', async () => {
    const claimed = await claim(freshName());
    const paying = await registry.sql.begin(async (db) => {
      await db.run(sql`
        insert into reserved_names (name, code, expires_at, created_at)
        values (${claimed.names[0] ?? ''}, 'of-another', now() + interval '100 years', now())`);
      const begun = payer.pay(claimed.link);
      await vi.waitFor(
        async () => {
          await db.run(sql`select pg_stat_clear_snapshot()`);
          const waiting = await db.rows(sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
          expect(waiting.length).toBeGreaterThan(0);
        },
        { interval: 20 },
      );
      return { begun };
    });
    const reference = await paying.begun;
    await vi.waitFor(async () => expect(await standing(reference)).toBe(0));
    const [held] = await registry.sql.rows(
      sql`select code from reserved_names where name = ${claimed.names[0] ?? ''}`,
    );
    expect(held).toEqual({ code: 'of-another' });
  });

  test('failure: names are granted once, however often their payment is reported', async () => {
    const claimed = await claim(freshName());
    const reference = await payer.pay(claimed.link);
    await becomes(claimed, { status: 'paid' });
    const { reserved_domains: granted } = await statusOf(claimed);
    await registry.sql.begin(async (db) => {
      const [invoice] = await lockInvoices(db, [claimed.number]);
      if (!invoice) throw new Error('there is no such invoice');
      const cause = { at: new Date(granted[0].expire_at), paymentReference: reference };
      await applyInvoiceChanges(ee)(db, [{ invoice, to: 'paid' }], cause);
    });
    expect((await statusOf(claimed)).reserved_domains).toEqual(granted);
  });

  test('success: only the holder of a free reservation can turn it into a paid one', async () => {
    const name = freshName();
    const { user_unique_id: own } = (await portal.reserve(name)).body;
    expect((await portal.reserveLong(name)).status).toBe(422);
    expect(
      (await portal.post('/long_reserve_domains', { domain_names: [name], user_unique_id: 'aaaaaaaaaa' }))
        .status,
    ).toBe(422);
    const { body } = await portal.post('/long_reserve_domains', {
      domain_names: [name],
      user_unique_id: own,
    });
    expect(body.available_domains).toEqual([name]);
    await payer.pay(body.linkpay_url);
    const claimed = {
      number: body.invoice_number,
      id: body.user_unique_id,
      link: body.linkpay_url,
      names: [name],
    };
    await becomes(claimed, { status: 'paid', reserved_domains: [{ name, status: 'reserved' }] });
    await payer.advance('P8D');
    expect((await statusOf(claimed)).reserved_domains).toMatchObject([{ name, status: 'reserved' }]);
  });
});

describe('a free reservation', () => {
  test('failure: an old id never shows the code of a later holder', async () => {
    const name = freshName();
    const first = (await portal.reserve(name)).body;
    await payer.advance('P8D');
    const second = (await portal.reserve(name)).body;
    expect((await portal.get(`/reserve_domains/${first.user_unique_id}`)).body).toEqual([
      { name, status: 'expired' },
    ]);
    expect((await portal.get(`/reserve_domains/${second.user_unique_id}`)).body).toMatchObject([
      { name, status: 'reserved', password: second.reserved_domains[0].password },
    ]);
    await register({ name, reserved_pw: second.reserved_domains[0].password });
    expect((await portal.get(`/reserve_domains/${first.user_unique_id}`)).body).toEqual([
      { name, status: 'expired' },
    ]);
  });

  test('failure: ids cannot be guessed', async () => {
    const ids = await Promise.all(
      Array.from(
        { length: 50 },
        async () => (await portal.reserve(freshName())).body.user_unique_id as string,
      ),
    );
    expect(new Set(ids).size).toBe(50);
    // Ten characters out of 64 that all occur are sixty bits; at least fifty are required.
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{10}$/);
    for (let place = 0; place < 10; place++)
      expect(new Set(ids.map((id) => id[place])).size).toBeGreaterThan(15);
  });

  test('success: codes are stored neither with idempotency keys nor in history, and a repeated request reads them again', async () => {
    const name = freshName();
    const headers = { 'idempotency-key': 'portal-key-1' };
    const [first, second] = [
      await portal.post('/reserve_domains', { domain_names: [name] }, headers),
      await portal.post('/reserve_domains', { domain_names: [name] }, headers),
    ];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const code = first.body.reserved_domains[0].password;
    const [found] = await registry.sql.rows(sql`
      select (select count(*)::int from idempotency_keys where answer::text like ${`%${code}%`}) as keys,
        (select count(*)::int from history where concat(before, after) like ${`%${code}%`}) as history`);
    expect(found).toEqual({ keys: 0, history: 0 });
    expect(registry.logged()).not.toContain(code);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import type { Owner } from '../../src/platform/database/database.ts';
import { hashPassword } from '../../src/registry/access/passwords.ts';
import { alpha, Client, type Reply } from '../support/client.ts';
import { createContact, freshCode } from '../support/contacts.ts';
import { balanceOf, freshName, newDomain } from '../support/domains.ts';
import type { SandboxProcess } from '../support/sandbox-process.ts';
import { sql } from '../support/sql.ts';
import { RaceDatabase } from './race-database.ts';

const AT_ONCE = 16;
const ROUNDS = process.env.TORTURE ? 20 : 2;
const LIMIT_MS = ROUNDS * 20_000;
const rounds = Array.from({ length: ROUNDS }, (_, round) => ({ round: round + 1 }));

let database: RaceDatabase;
let sandbox: SandboxProcess;
let client: Client;
let registrant: string;
let db: Owner;

beforeAll(async () => {
  database = await RaceDatabase.create();
  sandbox = await database.start();
  client = alpha(sandbox.url);
  registrant = await createContact(client);
  db = database.sql;
});
afterAll(() => database?.end());

const parallel = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));
const register = (name: string, headers: Record<string, string> = {}, who = client, by = registrant) =>
  who.post('/domains', newDomain(by, { name }), { headers });
const cents = async (who = client) => Math.round(Number(await balanceOf(who)) * 100);

function outcomes(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies)
    counts[`${status}/${body.code}`] = (counts[`${status}/${body.code}`] ?? 0) + 1;
  return counts;
}

/** A separate registrar for one test, with a user, an account and a contact. */
async function newRegistrar(balance: number): Promise<{ who: Client; contact: string }> {
  const code = `R${freshCode().slice(-8).toUpperCase()}`;
  await db.run(sql`
    with r as (insert into registrars (code, name, created_at) values (${code}, ${code}, now()) returning id),
    u as (
      insert into api_users (registrar_id, username, roles, password_hash, created_at)
      select id, ${code}, '{epp}', ${await hashPassword('a password of some length')}, now() from r),
    a as (
      insert into ledger_accounts (kind, registrar_id, currency, balance)
      select kind, id, 'EUR', case kind when 'registrar' then ${balance} else 0 end from r, (values ('registrar'), ('debt')) as k(kind) returning id, kind, registrar_id)
    insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, actor)
    select now(), o.id, a.id, ${balance}, 'opening', 'Opening balance', a.registrar_id, ${balance}, 'test'
    from a, ledger_accounts o where a.kind = 'registrar' and o.kind = 'opening'`);
  const who = new Client(sandbox.url, `${code}:a password of some length`);
  return { who, contact: await createContact(who) };
}

describe.each(rounds)(
  'money and names under load, round $round',
  () => {
    test('success: 48 registrations at 9.00 cost exactly 432.00', async () => {
      const before = await cents();
      const replies = await parallel(48, () => register(freshName()));
      expect(outcomes(replies)).toEqual({ '200/1000': 48 });
      expect(before - (await cents())).toBe(43_200);
    });

    test('success: funds for five, twenty-four requests: five domains, and the balance is not below zero', async () => {
      const { who, contact } = await newRegistrar(4_600);
      const replies = await parallel(24, () => register(freshName(), {}, who, contact));
      expect(outcomes(replies)).toEqual({ '200/1000': 5, '400/2104': 19 });
      expect(await cents(who)).toBe(100);
      expect((await who.get('/domains')).body.data.count).toBe(5);
    });

    test('success: one name, sixteen requests: one domain, one charge', async () => {
      const [name, before] = [freshName(), await cents()];
      const replies = await parallel(AT_ONCE, () => register(name));
      expect(outcomes(replies)).toEqual({ '200/1000': 1, '400/2302': AT_ONCE - 1 });
      expect(before - (await cents())).toBe(900);
    });

    test('success: one idempotency key, sixteen requests: one domain, one charge, sixteen equal answers', async () => {
      const [name, before, headers] = [freshName(), await cents(), { 'idempotency-key': randomUUID() }];
      const replies = await parallel(AT_ONCE, () => register(name, headers));
      expect(outcomes(replies)).toEqual({ '200/1000': AT_ONCE });
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(before - (await cents())).toBe(900);
    });

    test('success: eight renewals with one exp_date: one renewal, one charge', async () => {
      const name = freshName();
      await register(name);
      const { expire_time: expiry } = (await client.get(`/domains/${name}`)).body.data.domain;
      const before = await cents();
      const replies = await parallel(8, () =>
        client.post(`/domains/${name}/renew`, {
          renews: { period: 1, period_unit: 'y', exp_date: expiry.slice(0, 10) },
        }),
      );
      expect(outcomes(replies)).toEqual({ '200/1000': 1, '400/2306': 7 });
      expect(before - (await cents())).toBe(900);
      expect((await client.get(`/domains/${name}`)).body.data.domain.expire_time.slice(0, 4)).toBe(
        String(Number(expiry.slice(0, 4)) + 1),
      );
    });

    test('success: registrations, renewals, changes and bulk renewals of the same domains never end in a fault', async () => {
      const names = await parallel(
        6,
        async () => (await register(freshName())).body.data.domain.name as string,
      );
      const before = await cents();
      const replies = await parallel(24, (index) => {
        const name = names[index % names.length] ?? '';
        const order = index % 2 === 0 ? names : names.toReversed();
        if (index % 4 === 0)
          return client.post('/domains/renew/bulk', { domains: order, renew_period: '3m' });
        if (index % 4 === 1) return register(freshName());
        if (index % 4 === 2) return client.put(`/domains/${name}/statuses/clientHold`);
        return client.put(`/domains/${name}`, { domain: { transfer_code: `code-number-${index}` } });
      });
      expect(outcomes(replies)).toEqual({ '200/1000': 24 });
      expect(before - (await cents())).toBe(6 * 6 * 300 + 6 * 900);
    });

    test('success: a contact that is deleted while a domain takes it: one of the two, never a dangling link', async () => {
      const contact = await createContact(client);
      const name = freshName();
      const [made, removed] = await Promise.all([
        register(name, {}, client, contact),
        client.delete(`/contacts/${contact}`),
      ]);
      const pair = [made?.body.code, removed?.body.code];
      expect([
        [1000, 2305],
        [2303, 1000],
      ]).toContainEqual(pair);
    });

    test('success: whatever happened, the ledger is clean', async () => {
      expect(await checkLedger(db)).toEqual([]);
    });
  },
  LIMIT_MS,
);

describe('kill -9 in the middle of two hundred registrations', () => {
  /** More than fit one batch, and few enough that not all are answered before the kill. */
  const IN_FLIGHT = 64;
  test(
    'success: retries with the same keys register and charge each name exactly once',
    async () => {
      const run = freshCode();
      const before = await cents();
      const create = (index: number) =>
        register(`${run}-${index}.ee`, { 'idempotency-key': `${run}-${index}` });
      let answered = 0;
      const waiting = Array.from({ length: 200 }, (_, index) => index);
      const createInTurn = async () => {
        for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
          await create(index);
          answered += 1;
          if (answered === 40) await sandbox.kill9();
        }
      };
      await Promise.allSettled(Array.from({ length: IN_FLIGHT }, createInTurn));
      expect(answered).toBeGreaterThanOrEqual(40);
      expect(answered).toBeLessThan(200);
      sandbox = await database.start();
      client = alpha(sandbox.url);
      const retries = await parallel(200, create);
      expect(outcomes(retries)).toEqual({ '200/1000': 200 });
      expect(before - (await cents())).toBe(200 * 900);
      const [row] = await db.rows(sql<{ domains: number; charges: number }>`
      select count(distinct d.id) as domains, count(e.id) as charges
      from domains d join history h on h.object_kind = 'domain' and h.object_id = d.id join ledger_entries e on e.history_id = h.id
      where d.name like ${`${run}-%`}`);
      expect(row).toEqual({ domains: 200, charges: 200 });
      expect(await checkLedger(db)).toEqual([]);
    },
    LIMIT_MS,
  );
});

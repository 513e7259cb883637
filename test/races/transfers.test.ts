import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLedger } from '../../src/ledger/check-ledger.ts';
import type { Owner } from '../../src/platform/database/database.ts';
import { alpha, beta, type Client, type Data, poor, type Reply } from '../support/client.ts';
import { createContact, freshCode } from '../support/contacts.ts';
import { balanceOf, hosts, outcome } from '../support/domains.ts';
import { sql } from '../support/sql.ts';
import { codeOf, messagesAbout, newRegistrant, take, wrongCodesFor } from '../support/transfers.ts';
import { RaceDatabase } from './race-database.ts';

/** Two processes on one database, so that no state of a single process can replace a lock of the database. */
const ROUNDS = process.env.TORTURE ? 20 : 2;
const LIMIT_MS = ROUNDS * 20_000;
const rounds = Array.from({ length: ROUNDS }, (_, round) => ({ round: round + 1 }));

type Registrars = { readonly losing: Client; readonly gaining: Client; readonly other: Client };
let database: RaceDatabase;
let [one, two]: Registrars[] = [];
let db: Owner;

beforeAll(async () => {
  database = await RaceDatabase.create();
  const nodes = await Promise.all([database.start(), database.start()]);
  [one, two] = nodes.map(({ url }) => ({ losing: alpha(url), gaining: beta(url), other: poor(url) }));
  db = database.sql;
});
afterAll(() => database?.end());

/** The registrars at one of the two nodes, in turns. */
function at(index: number): Registrars {
  const found = index % 2 === 0 ? one : two;
  if (!found) throw new Error('no server was started');
  return found;
}
const parallel = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

function outcomes(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reply of replies) {
    const what = outcome(reply).join('/');
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}
const typesAbout = async (client: Client, name: string) =>
  (await messagesAbout(client, name)).map(({ type }) => type);
const read = async (client: Client, name: string): Promise<Data> =>
  (await client.get(`/domains/${name}`)).body.data.domain;
const emailOf = async (code: string): Promise<string> =>
  (await at(0).losing.get(`/contacts/${code}`)).body.data.contact.email;
/** Who has a contact with this address, by code of the registrar. */
const ownersOf = async (email: string): Promise<string[]> =>
  (
    await db.rows(sql<{ code: string }>`
      select r.code from contacts c join registrars r on r.id = c.registrar_id where c.email = ${email} order by r.code`)
  ).map(({ code }) => code);
/** Every contact of a domain belongs to its sponsor, it has no nameservers or enough, and its history is one chain. */
async function expectConsistent(name: string): Promise<void> {
  const [foreign] = await db.rows(sql`
    select c.code from domains d
    join contacts c on c.id = d.registrant_id or c.id in (select contact_id from domain_contacts where domain_id = d.id)
    where d.name = ${name} and c.registrar_id <> d.registrar_id`);
  expect(foreign).toBeUndefined();
  const { nameservers } = await read(at(1).losing, name);
  expect(nameservers).not.toHaveLength(1);
  const history = await db.rows(sql<{ before: object | null; after: object }>`
    select before, after from history where object_kind = 'domain' and object_name = ${name} order by id`);
  for (const [place, { before }] of history.entries())
    if (place > 0) expect(before).toEqual(history[place - 1]?.after);
}

describe.each(rounds)(
  'transfers at the same time, round $round',
  () => {
    test('success: eight concurrent transfers with one code, by two registrars: one succeeds', async () => {
      const { losing } = at(0);
      const [mari, jaan] = [await newRegistrant(losing), await newRegistrant(losing)];
      const name = await mari.register({
        admin_contacts: [mari.code],
        tech_contacts: [mari.code, jaan.code],
      });
      const code = await codeOf(losing, name);
      const replies = await parallel(8, (index) =>
        // Pairs of neighbours, so that each of the two processes gets both registrars.
        take((index >> 1) & 1 ? at(index).gaining : at(index).other, name, code),
      );
      expect(outcomes(replies)).toEqual({ '200/1000': 1, '400/2202': 7 });
      const winner = (await read(losing, name)).registrar.name === 'Beta Registrar' ? 'BETA' : 'POOR';
      for (const person of [mari, jaan])
        expect(await ownersOf(await emailOf(person.code))).toEqual(['ALPHA', winner]);
      expect(await typesAbout(losing, name)).toEqual(['transferred_away']);
      const messages = [await typesAbout(at(0).gaining, name), await typesAbout(at(0).other, name)];
      expect(messages.flat()).toEqual(['transferred_in']);
      await expectConsistent(name);
    });

    test('success: one idempotency key, eight requests to two servers: one transfer, eight equal answers, no wrong code', async () => {
      const name = await (await newRegistrant(at(0).losing)).register();
      const code = await codeOf(at(0).losing, name);
      const headers = { 'idempotency-key': randomUUID() };
      const replies = await parallel(8, (index) => take(at(index).gaining, name, code, headers));
      expect(outcomes(replies)).toEqual({ '200/1000': 8 });
      expect(replies.filter((reply) => reply.headers.get('idempotency-replayed') === 'true')).toHaveLength(7);
      expect(await typesAbout(at(0).losing, name)).toEqual(['transferred_away']);
      expect(await wrongCodesFor(db, name)).toBe(0);
    });

    test('success: one idempotency key on a bulk transfer: its successes and refusals, once', async () => {
      const mari = await newRegistrant(at(0).losing);
      const [name, wrong] = [await mari.register(), await mari.register()];
      const code = await codeOf(at(0).losing, name);
      const headers = { 'idempotency-key': randomUUID() };
      const domain_transfers = [
        { domain_name: name, transfer_code: code },
        { domain_name: wrong, transfer_code: 'a guess' },
      ];
      const replies = await parallel(8, (index) =>
        at(index).gaining.post('/domains/transfer', { data: { domain_transfers } }, { headers }),
      );
      expect(outcomes(replies)).toEqual({ '200/1000': 8 });
      for (const { body } of replies) expect(body).toEqual(replies[0]?.body);
      expect(replies[0]?.body.data.success).toHaveLength(1);
      expect([await wrongCodesFor(db, name), await wrongCodesFor(db, wrong)]).toEqual([0, 1]);
    });

    test('success: six domains of the same contacts to one registrar: one copy of each contact', async () => {
      const { losing } = at(0);
      const [mari, jaan] = [await newRegistrant(losing), await newRegistrant(losing)];
      const names = await parallel(6, () => mari.register({ tech_contacts: [jaan.code] }));
      const codes = await Promise.all(names.map((name) => codeOf(losing, name)));
      const replies = await parallel(6, (index) =>
        take(at(index).gaining, names[index] ?? '', codes[index] ?? ''),
      );
      expect(outcomes(replies)).toEqual({ '200/1000': 6 });
      for (const person of [mari, jaan])
        expect(await ownersOf(await emailOf(person.code))).toEqual(['ALPHA', 'BETA']);
      for (const name of names) await expectConsistent(name);
    });

    test('success: two bulk transfers of the same domains in opposite order: each domain goes to one of them', async () => {
      const { losing } = at(0);
      const mari = await newRegistrant(losing);
      const names = await parallel(8, () => mari.register());
      const requests = await Promise.all(
        names.map(async (name) => ({ domain_name: name, transfer_code: await codeOf(losing, name) })),
      );
      const bulk = (by: Client, domain_transfers: typeof requests) =>
        by.post('/domains/transfer', { data: { domain_transfers } });
      const replies = await Promise.all([
        bulk(at(0).gaining, requests),
        bulk(at(1).other, requests.toReversed()),
        ...requests.map(({ domain_name, transfer_code }, index) =>
          take(index % 4 < 2 ? at(index).gaining : at(index).other, domain_name, transfer_code),
        ),
      ]);
      expect(replies.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
      const successes = replies.flatMap(({ status, body: { data } }) =>
        status !== 200
          ? []
          : (data.success?.map((item: Data) => item.domain_name) ?? [data.domain.name as string]),
      );
      expect(successes.toSorted()).toEqual(names.toSorted());
      for (const name of names) expect(await typesAbout(losing, name)).toEqual(['transferred_away']);
    });

    test('success: against renewals: renewed and charged before it, or not at all', async () => {
      const { losing, gaining } = at(0);
      const mari = await newRegistrant(losing);
      const names = await parallel(6, () => mari.register());
      const before = await Promise.all(names.map((name) => read(losing, name)));
      const money = await balanceOf(losing);
      const pairs = await parallel(6, (index) => {
        const { name, transfer_code, expire_time } = before[index];
        const renews = { period: 1, period_unit: 'y', exp_date: expire_time.slice(0, 10) };
        const calls = [
          () => at(index).gaining.post(`/domains/${name}/transfer`, { transfer: { transfer_code } }),
          () => at(index + 1).losing.post(`/domains/${name}/renew`, { renews }),
        ];
        return Promise.all((index % 2 === 0 ? calls : calls.toReversed()).map((call) => call()));
      });
      const renewed: boolean[] = [];
      for (const [index, pair] of pairs.entries()) {
        const [transfer, renewal] = index % 2 === 0 ? pair : pair.toReversed();
        expect(transfer?.status).toBe(200);
        expect(['200/1000', '403/2201']).toContain(renewal && outcome(renewal).join('/'));
        renewed.push(renewal?.status === 200);
        const after = await read(gaining, names[index] ?? '');
        expect(after.registrar.name).toBe('Beta Registrar');
        expect(Number(after.expire_time.slice(0, 4)) - Number(before[index].expire_time.slice(0, 4))).toBe(
          renewal?.status === 200 ? 1 : 0,
        );
        await expectConsistent(names[index] ?? '');
      }
      const spent = Number(money) - Number(await balanceOf(losing));
      expect(spent).toBeCloseTo(9 * renewed.filter(Boolean).length);
    });

    test('success: against deletions: one of the two succeeds', async () => {
      const { losing } = at(0);
      const mari = await newRegistrant(losing);
      const names = await parallel(6, () => mari.register());
      const codes = await Promise.all(names.map((name) => codeOf(losing, name)));
      await parallel(6, async (index) => {
        const [name, code] = [names[index] ?? '', codes[index] ?? ''];
        const remove = { domain: { delete: { verified: true } } };
        const [transfer, deletion] = await Promise.all([
          take(at(index).gaining, name, code),
          at(index + 1).losing.delete(`/domains/${name}`, remove),
        ]);
        const { registrar, statuses } = await read(losing, name);
        expect([
          ['200/1000', '403/2201', 'Beta Registrar', false],
          ['400/2304', '200/1000', 'Alpha Registrar', true],
        ]).toContainEqual([
          ...[transfer, deletion].map((reply) => outcome(reply).join('/')),
          registrar.name,
          'pendingDelete' in statuses,
        ]);
        await expectConsistent(name);
      });
    });

    test('success: against a bulk replacement of nameservers: exactly the reported domains are changed', async () => {
      const { losing } = at(0);
      const mari = await newRegistrant(losing);
      const [host, next] = [`ns1.${freshCode()}.example`, `ns1.${freshCode()}.example`];
      const nameservers_attributes = hosts(host, 'ns2.example.net');
      const names = await parallel(10, () => mari.register({ nameservers_attributes }));
      const codes = await Promise.all(names.map((name) => codeOf(losing, name)));
      const [replaced, ...transfers] = await Promise.all([
        at(1).losing.put('/registrar/nameservers', {
          data: { type: 'nameserver', id: host, domains: names, attributes: { hostname: next } },
        }),
        ...names.map((name, index) => take(at(index).gaining, name, codes[index] ?? '')),
      ]);
      expect(outcomes(transfers)).toEqual({ '200/1000': 10 });
      // Where all of them were gone before, the registrar has no domain with that host.
      expect(['200/1000', '400/2303']).toContain(outcome(replaced).join('/'));
      const affected: string[] = replaced.body.data.affected_domains ?? [];
      for (const name of names) {
        const { nameservers, registrar } = await read(losing, name);
        expect(nameservers.map(({ hostname }: Data) => hostname).toSorted()).toEqual(
          [affected.includes(name) ? next : host, 'ns2.example.net'].toSorted(),
        );
        expect(registrar.name).toBe('Beta Registrar');
        await expectConsistent(name);
      }
    });

    test('success: against changes of contacts: added contacts are transferred too', async () => {
      const { losing } = at(0);
      const [mari, jaan] = [await newRegistrant(losing), await newRegistrant(losing)];
      const late = await createContact(losing, { email: `${freshCode()}@example.ee` });
      const names = await parallel(6, () => mari.register({ tech_contacts: [jaan.code] }));
      const codes = await Promise.all(names.map((name) => codeOf(losing, name)));
      const replies = await Promise.all([
        ...names.map((name, index) => take(at(index).gaining, name, codes[index] ?? '')),
        ...names.map((name, index) =>
          at(index + 1).losing.post(`/domains/${name}/contacts`, {
            contacts: [{ code: late, type: 'admin' }],
          }),
        ),
        at(1).losing.patch('/domains/contacts', { current_contact_id: jaan.code, new_contact_id: late }),
      ]);
      const allowed = ['200/1000', '403/2201'];
      expect(Object.keys(outcomes(replies)).filter((what) => !allowed.includes(what))).toEqual([]);
      expect(outcomes(replies.slice(0, 6))).toEqual({ '200/1000': 6 });
      for (const name of names) await expectConsistent(name);
    });

    test('success: whatever happened, the ledger is clean', async () => {
      expect(await checkLedger(db)).toEqual([]);
    });
  },
  LIMIT_MS,
);

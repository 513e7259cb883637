import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Owner } from '../../src/platform/database/database.ts';
import { alpha, type Client, type Reply } from '../support/client.ts';
import { createContact, freshCode, newContact } from '../support/contacts.ts';
import type { SandboxProcess } from '../support/sandbox-process.ts';
import { sql } from '../support/sql.ts';
import { RaceDatabase } from './race-database.ts';

/**
 * Two processes on one database, so that no state of a single process can replace a guard of the
 * database; sixteen requests at once, eight to each.
 */
const AT_ONCE = 16;
const ROUNDS = process.env.TORTURE ? 20 : 2;
/** Each waits for a process that starts. */
const KILLS = process.env.TORTURE ? 20 : 1;
const LIMIT_MS = ROUNDS * 10_000;
const rounds = Array.from({ length: ROUNDS }, (_, round) => ({ round: round + 1 }));

let nodes: SandboxProcess[] = [];
let clients: Client[] = [];
let db: Owner;
let database: RaceDatabase;

beforeAll(async () => {
  database = await RaceDatabase.create();
  nodes = await Promise.all([database.start(), database.start()]);
  clients = nodes.map(({ url }) => alpha(url));
  db = database.sql;
  await atOnce((client) => client.get('/contacts?limit=1')); // opens the sockets
});

afterAll(() => database?.end());

const atOnce = <T>(call: (client: Client, index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, index) => call(clientAt(index), index)));

function clientAt(index: number): Client {
  const client = clients[index % clients.length];
  if (!client) throw new Error('no server was started');
  return client;
}

/** How often each outcome came: `{'200/1000': 1, '400/2302': 15}`. */
function outcomes(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const outcome = `${status}/${body.code}`;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}
const replayed = ({ headers }: Reply) => headers.get('idempotency-replayed') === 'true';

type HistoryRow = { operation: string; before: object | null; after: object | null };
const historyOf = (code: string): Promise<HistoryRow[]> =>
  db.rows(sql<HistoryRow>`
  select operation, before, after from history where object_kind = 'contact' and object_name = ${code} order by id`);
const contactsWith = async (email: string) =>
  (await db.rows(sql<{ code: string }>`select code from contacts where email = ${email}`)).map(
    ({ code }) => code,
  );

describe.each(rounds)(
  'sixteen requests at once, round $round',
  () => {
    test('success: of many concurrent creations of one code one wins, the others are refused', async () => {
      const id = freshCode();
      const replies = await atOnce((client) => client.post('/contacts', newContact({ id })));
      expect(outcomes(replies)).toEqual({ '200/1000': 1, '400/2302': AT_ONCE - 1 });
      expect((await historyOf(id)).map(({ operation }) => operation)).toEqual(['create']);
    });

    test('success: one idempotency key creates once, and every duplicate request gets the same answer', async () => {
      const email = `${freshCode()}@example.ee`;
      const headers = { 'idempotency-key': randomUUID() };
      // Without a given code only the idempotency key prevents a second contact.
      const replies = await atOnce((client) => client.post('/contacts', newContact({ email }), { headers }));
      expect(outcomes(replies)).toEqual({ '200/1000': AT_ONCE });
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(replies.filter(replayed)).toHaveLength(AT_ONCE - 1);
      expect(await contactsWith(email)).toEqual([replies[0]?.body.data.contact.code]);
    });

    test('failure: one idempotency key with two different bodies has one effect, the other body is refused', async () => {
      const emails = [`${freshCode()}@example.ee`, `${freshCode()}@example.ee`];
      const headers = { 'idempotency-key': randomUUID() };
      // Pairs of neighbours, so that each of the two processes gets both bodies.
      const replies = await atOnce((client, index) =>
        client.post('/contacts', newContact({ email: emails[(index >> 1) % 2] }), { headers }),
      );
      expect(outcomes(replies)).toEqual({ '200/1000': AT_ONCE / 2, '400/2005': AT_ONCE / 2 });
      expect(replies.filter((reply) => reply.status === 200 && !replayed(reply))).toHaveLength(1);
      expect((await Promise.all(emails.map(contactsWith))).flat()).toHaveLength(1);
    });

    test('success: changes of one contact are all kept, one after the other', async () => {
      const code = await createContact(clientAt(0));
      const changes = Array.from({ length: AT_ONCE }, (_, index) => changeOf(index));
      const replies = await atOnce((client, index) =>
        client.put(`/contacts/${code}`, { contact: changes[index] }),
      );
      expect(outcomes(replies)).toEqual({ '200/1000': AT_ONCE });
      const [made, ...updates] = await historyOf(code);
      expect(updates).toHaveLength(AT_ONCE);
      updates.reduce((previous, update) => {
        expect(update.before).toEqual(previous.after);
        return update;
      }, made as HistoryRow);
      for (const change of changes) {
        const made = updates.filter(({ before, after }) => holds(after, change) && !holds(before, change));
        expect(made, JSON.stringify(change)).toHaveLength(1);
      }
      const { name, email, phone } = (await clientAt(1).get(`/contacts/${code}`)).body.data.contact;
      expect(updates.at(-1)?.after).toMatchObject({ name, email, phone });
    });

    test('success: of many concurrent deletions one removes, the others are answered that it is gone', async () => {
      const code = await createContact(clientAt(0));
      const replies = await atOnce((client) => client.delete(`/contacts/${code}`));
      expect(outcomes(replies)).toEqual({ '200/1000': 1, '410/2303': AT_ONCE - 1 });
      expect((await historyOf(code)).map(({ operation }) => operation)).toEqual(['create', 'delete']);
    });

    test('success: concurrent creations and deletions of one code alternate', async () => {
      const id = freshCode();
      const replies = await atOnce((client, index) =>
        (index >> 1) % 2 === 0
          ? client.post('/contacts', newContact({ id }))
          : client.delete(`/contacts/${id}`),
      );
      const allowed = new Set(['200/1000', '400/2302', '404/2303', '410/2303']);
      expect(Object.keys(outcomes(replies)).filter((outcome) => !allowed.has(outcome))).toEqual([]);
      const operations = (await historyOf(id)).map(({ operation }) => operation);
      expect(operations).toEqual(operations.map((_, place) => (place % 2 === 0 ? 'create' : 'delete')));
      expect(operations).toHaveLength(outcomes(replies)['200/1000'] ?? expect.fail('none succeeded'));
      const exists = (await clientAt(0).get(`/contacts/${id}`)).status === 200;
      expect(exists).toBe(operations.at(-1) === 'create');
    });
  },
  LIMIT_MS,
);

/** Each request changes one of the three fields, to a value of its own. */
function changeOf(index: number): Record<string, string> {
  const values = [
    { name: `Mari ${'ABCDEFGHIJKLMNOP'[index]}` },
    { email: `mari${index}@example.ee` },
    { phone: `+372.${index}` },
  ];
  return values[index % values.length] as Record<string, string>;
}

const holds = (row: object | null, change: Record<string, string>): boolean =>
  Object.entries(change).every(([field, value]) => (row as Record<string, unknown>)[field] === value);

describe.each(rounds.slice(0, KILLS))(
  'kill -9 in the middle of two hundred creations, round $round',
  () => {
    const CREATIONS = 200;
    const KILLED_AFTER = 30;
    /** More than fit one batch, and few enough that not all are answered before the kill. */
    const IN_FLIGHT = 64;
    const indexes = Array.from({ length: CREATIONS }, (_, index) => index);

    test('success: acknowledged contacts stay, and retries with the same keys create each contact exactly once', async () => {
      const run = freshCode();
      const emailOf = (index: number) => `${run}-${index}@example.ee`;
      const create = (client: Client, index: number) => {
        const headers = { 'idempotency-key': `${run}-${index}` };
        const code = index % 2 ? { id: `${run}-${index}` } : {};
        return client.post('/contacts', newContact({ ...code, email: emailOf(index) }), { headers });
      };

      const killed = nodes[0] as SandboxProcess;
      const before = new Map<number, Reply>();
      const waiting = [...indexes];
      const createInTurn = async () => {
        for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
          before.set(index, await create(clientAt(0), index));
          if (before.size === KILLED_AFTER) await killed.kill9();
        }
      };
      await Promise.allSettled(Array.from({ length: IN_FLIGHT }, createInTurn));
      expect(before.size).toBeGreaterThanOrEqual(KILLED_AFTER);
      expect(before.size).toBeLessThan(CREATIONS);

      const restarted = await database.start();
      nodes[0] = restarted;
      clients[0] = alpha(restarted.url);
      const retries = await Promise.all(indexes.map((index) => create(clientAt(0), index)));
      expect(outcomes(retries)).toEqual({ '200/1000': CREATIONS });
      for (const [index, { text }] of before)
        expect([retries[index]?.text, replayed(retries[index] as Reply)]).toEqual([text, true]);
      const ofThisRun = `${run}-%`;
      const made = await db.rows(
        sql<{ email: string }>`select email from contacts where email like ${ofThisRun}`,
      );
      expect(made.map(({ email }) => email).sort()).toEqual(indexes.map(emailOf).sort());
      const recorded = await db.rows(sql`
      select from history where object_kind = 'contact' and after ->> 'email' like ${ofThisRun}`);
      expect(recorded).toHaveLength(CREATIONS);
    });
  },
  LIMIT_MS,
);

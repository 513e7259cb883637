import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Pool } from '../../../src/platform/sql/executor.ts';
import { tokenHash } from '../../../src/platform/values/token.ts';
import { beginSession } from '../../../src/registry/people/person-sessions.ts';
import { askForCode } from '../../../src/registry/people/second-factor.ts';
import { tryCode } from '../../../src/registry/people/try-code.ts';
import { PEOPLE } from '../../support/console.ts';
import { openTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

const [HOME, OFFICE, STRANGE] = ['192.0.2.1', '2001:db8::1', '198.51.100.1'];
const NOW = new Date('2026-06-01T12:00:00Z');
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

let close: () => Promise<void>;
let db: Pool;
let personId: number;
beforeAll(async () => {
  const opened = await openTestDatabase();
  close = opened.close;
  const [database] = opened.databases;
  if (!database) throw new Error('no database');
  db = database.writes;
  const person = sql<{ id: number }>`select id from people where email_key = ${PEOPLE.alpha[0]}`;
  personId = (await db.one(person)).id;
  for (const address of [HOME, OFFICE]) {
    const client = { address, userAgent: '', requestId: 'r' };
    await beginSession(db, { personId, registrarId: undefined, factor: 'passkey', ...client }, NOW);
  }
});
afterAll(() => close());
beforeEach(() => db.run(sql`delete from login_steps`));

/** Tries at once, each in a login of its own: whether a code would be verified, or how long it has to wait. */
async function tryOften(count: number, address: string, now = NOW) {
  const begin = () => askForCode(db, personId, '/console', now);
  const tokens = await Promise.all(Array.from({ length: count }, begin));
  return Promise.all(
    tokens.map(async (token) => {
      const outcome = await tryCode(db, { token: tokenHash(token), address }, now);
      return outcome && ('secondsToWait' in outcome ? outcome.secondsToWait : 'counted');
    }),
  );
}
const tryOnce = async (address: string, now = NOW) => (await tryOften(1, address, now))[0];
const counted = (count: number) => Array<'counted'>(count).fill('counted');

test('failure: no more than twenty of concurrent tries are counted', async () => {
  const tries = await tryOften(40, STRANGE);
  expect(tries.filter((outcome) => outcome === 'counted')).toHaveLength(20);
  expect(new Set(tries)).toEqual(new Set(['counted', 3_600]));
});

test('success: tries at other addresses count neither at a known one nor at another known one', async () => {
  expect(await tryOften(20, STRANGE)).toEqual(counted(20));
  expect(await tryOnce('203.0.113.1')).toBe(3_600);
  expect(await tryOften(20, HOME)).toEqual(counted(20));
  expect(await tryOnce(HOME)).toBe(3_600);
  expect(await tryOnce('2001:db8::2')).toBe('counted');
});

test('success: tries at a known address do not count elsewhere', async () => {
  expect(await tryOften(20, HOME)).toEqual(counted(20));
  expect(await tryOnce(STRANGE)).toBe('counted');
});

test('failure: somebody waits until enough of the tries are an hour old', async () => {
  await tryOften(15, STRANGE);
  await tryOften(5, STRANGE, minutesLater(30));
  expect(await tryOnce(STRANGE, minutesLater(40))).toBe(20 * 60);
  expect(await tryOften(15, STRANGE, minutesLater(60))).toEqual(counted(15));
  expect(await tryOnce(STRANGE, minutesLater(60))).toBe(30 * 60);
});

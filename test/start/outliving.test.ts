import net from 'node:net';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Sql } from '../../src/platform/sql/executor.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { placeOfData } from '../support/global-setup.ts';
import { makeHome } from '../support/prepared-home.ts';
import { sql } from '../support/sql.ts';
import { areGone, getContact, postContact, postmasterOf, removeHome, sandboxOn } from './processes.ts';

async function clockOf(url: string): Promise<number> {
  const { now } = (await (await fetch(`${url}/sandbox/clock`)).json()) as { now: string };
  return Date.parse(now);
}

/** Whether connections are accepted; a request over one might wait for a lock. */
const isListening = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** One for both, since creating a database takes longest. */
const home = makeHome(placeOfData());
afterAll(() => removeHome(home));

describe('data and requests across a restart', () => {
  test('success: a request in flight at SIGTERM is answered; its data and the clock survive the restart', async () => {
    const first = await sandboxOn(home);
    const moved = await fetch(`${first.url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"advance":"P400D"}',
    });
    expect(moved.status).toBe(200);
    const postmaster = postmasterOf(home);

    const db = await connectAsOwner(first.database);
    onTestFinished(() => db.close());
    const reply = await db.begin(async (locked) => {
      await locked.run(sql`lock table contacts in access exclusive mode`);
      const waiting = postContact(first.url, 'under-way');
      await expect.poll(() => lockWaiters(locked)).toEqual([{ count: 1 }]);
      process.kill(first.pid, 'SIGTERM');
      await expect.poll(() => isListening(first.url)).toBe(false); // no new connections
      return { waiting };
    });
    await db.close();
    const answer = await reply.waiting;
    expect([answer.status, ((await answer.json()) as { code: number }).code]).toEqual([200, 1000]);
    await expect.poll(() => areGone([first.pid, postmaster]), { timeout: 30_000 }).toBe(true);

    const second = await sandboxOn(home);
    expect((await getContact(second.url, 'under-way')).status).toBe(200);
    expect((await clockOf(second.url)) - Date.now()).toBeGreaterThan(399 * 86_400_000);
  });

  test('success: after kill -9 the next process takes over the running database, with its data', async () => {
    const first = await sandboxOn(home);
    expect((await postContact(first.url, 'before-the-end')).status).toBe(200);
    const left = postmasterOf(home);
    await first.kill9();
    expect(areGone([left])).toBe(false);

    const second = await sandboxOn(home);
    expect(postmasterOf(home)).toBe(left);
    expect((await getContact(second.url, 'before-the-end')).status).toBe(200);
    await second.stop();
    expect(areGone([left])).toBe(true);
  });
});

const lockWaiters = (db: Sql) =>
  db.rows(sql`
  select count(*)::int as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`);

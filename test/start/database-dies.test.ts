import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { sql } from '../support/sql.ts';
import {
  credentials,
  getContact,
  homeForThisTest,
  postContact,
  postmasterOf,
  sandboxOn,
} from './processes.ts';

type Seen = { readonly call: string; readonly status: number; readonly code: number };

/** Reads and writes one after the other until stopped, and records every answer. */
function keepSendingRequests(url: string) {
  const seen: Seen[] = [];
  let enough = false;
  const sending = (async () => {
    for (let number = 1; !enough; number += 1) {
      const replies = await Promise.all([
        fetch(`${url}/registry/v1/contacts`, { headers: credentials }),
        postContact(url, `asking-${number}`),
      ]);
      for (const [index, reply] of replies.entries()) {
        expect(reply.headers.get('content-type')).toMatch(/^application\/json/);
        const { code } = (await reply.json()) as { code: number };
        seen.push({ call: index === 0 ? 'read' : `asking-${number}`, status: reply.status, code });
      }
      await sleep(20);
    }
  })();
  const end = async () => {
    enough = true;
    await sending;
  };
  return { seen, end };
}

test('success: the database crashes twice under load: a delay or 503 in the envelope, then 200 again, never 500, and no confirmed write is lost', async () => {
  const home = homeForThisTest();
  const sandbox = await sandboxOn(home);
  const { seen, end } = keepSendingRequests(sandbox.url);
  /** A short outage may pass without a refusal: requests wait for a connection for a second. */
  const isAnsweredAgain = (since: number) => () =>
    seen.length > since + 8 && seen.slice(-4).every(({ status }) => status === 200);
  await expect.poll(() => seen.length).toBeGreaterThan(4);

  const killed = postmasterOf(home) ?? expect.fail('no database runs');
  process.kill(killed, 'SIGKILL');
  await expect.poll(() => postmasterOf(home) ?? killed, { timeout: 30_000 }).not.toBe(killed);
  await expect.poll(isAnsweredAgain(seen.length), { timeout: 30_000 }).toBe(true);

  const db = await connectAsOwner(sandbox.database);
  const backend = await db.one(sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() limit 1`);
  await db.close();
  process.kill(backend.pid, 'SIGKILL'); // one backend killed like this ends all the others
  await expect.poll(isAnsweredAgain(seen.length), { timeout: 30_000 }).toBe(true);
  await end();

  const outcomes = seen.map(({ status, code }) => `${status} ${code}`);
  expect(outcomes.filter((outcome) => outcome !== '200 1000' && outcome !== '503 2400')).toEqual([]);
  const confirmed = seen.filter(({ call, status }) => call !== 'read' && status === 200);
  expect(confirmed.length).toBeGreaterThan(0);
  for (const { call } of confirmed)
    expect([call, (await getContact(sandbox.url, call)).status]).toEqual([call, 200]);
});

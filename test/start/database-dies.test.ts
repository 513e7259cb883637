import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openAsOwner } from '../../src/platform/sql/database.ts';
import { sql } from '../support/sql.ts';
import {
  credentials,
  getContact,
  homeForThisTest,
  postContact,
  postmasterOf,
  sandboxOn,
} from './workshop.ts';

type Seen = { readonly call: string; readonly status: number; readonly code: number };

/** Reads and writes one after the other for as long as it is told, and notes every answer. */
function keepAsking(url: string) {
  const seen: Seen[] = [];
  let enough = false;
  const asking = (async () => {
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
    await asking;
  };
  return { seen, end };
}

test('success: the database dies twice under load: 503 in the envelope, then 200 again, never 500, and nothing confirmed is lost', async () => {
  const home = homeForThisTest();
  const sandbox = await sandboxOn(home);
  const { seen, end } = keepAsking(sandbox.url);
  const troubles = () => seen.filter(({ status }) => status === 503).length;
  const lastAre200 = () => seen.slice(-4).every(({ status }) => status === 200);
  await expect.poll(() => seen.length).toBeGreaterThan(4);

  const killed = postmasterOf(home) ?? 0;
  process.kill(killed, 'SIGKILL');
  await expect.poll(troubles, { timeout: 10_000 }).toBeGreaterThan(0);
  await expect.poll(lastAre200, { timeout: 15_000 }).toBe(true);
  expect(postmasterOf(home)).not.toBe(killed);

  const before = troubles();
  const db = openAsOwner(sandbox.database);
  const [backend] = await db.rows(sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() limit 1`);
  await db.close();
  process.kill(backend?.pid ?? 0, 'SIGKILL'); // one backend that dies like this takes all the others with it
  await expect.poll(troubles, { timeout: 10_000 }).toBeGreaterThan(before);
  await expect.poll(lastAre200, { timeout: 15_000 }).toBe(true);
  await end();

  expect([...new Set(seen.map(({ status, code }) => `${status} ${code}`))].sort()).toEqual([
    '200 1000',
    '503 2400',
  ]);
  const confirmed = seen.filter(({ call, status }) => call !== 'read' && status === 200);
  for (const { call } of confirmed)
    expect([call, (await getContact(sandbox.url, call)).status]).toEqual([call, 200]);
});

import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createLog } from '../../../src/platform/logging.ts';
import { type Database, openDatabase } from '../../../src/platform/database/database.ts';
import type { Pool } from '../../../src/platform/sql/executor.ts';
import { CallCounts, type CountedCall } from '../../../src/registry/activity/call-counts.ts';
import { callPurge } from '../../../src/registry/activity/delete-old-calls.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { createTestDatabase, keptLog } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let owner: Awaited<ReturnType<typeof connectAsOwner>>;
let database: Database;
let drop: () => Promise<void>;
let userId: number;
beforeAll(async () => {
  const made = await createTestDatabase();
  const target = { ...inject('server'), database: made.name };
  owner = await connectAsOwner(target);
  database = openDatabase(target, readConfig('sandbox', {}), 'Europe/Tallinn');
  drop = made.drop;
  userId = (await owner.one(sql<{ id: number }>`select id from api_users where username = 'alpha'`)).id;
});
afterAll(async () => {
  await Promise.all([owner.close(), database.close()]);
  await drop();
});
beforeEach(() => owner.run(sql`delete from api_calls`));

const call = (name: string, changes: Partial<CountedCall> = {}): CountedCall => ({
  userId,
  interface: 'http',
  call: name,
  result: 1000,
  ...changes,
});
const stored = async (db: Pool = owner) =>
  Object.fromEntries(
    (
      await db.rows(sql<{ call: string; calls: number }>`
        select call || ' ' || result as call, sum(calls)::bigint as calls from api_calls group by 1`)
    ).map(({ call: name, calls }) => [name, calls]),
  );
const opened = (maxCounts?: number) => {
  const { sink, logged } = keptLog();
  return { counts: new CallCounts(database.writes, createLog('info', sink), maxCounts), logged };
};

describe('counts of calls', () => {
  test('success: counts from before a reset are not written after it', async () => {
    const { counts } = opened();
    counts.add(call('GET /written'));
    const written = counts.write();
    counts.add(call('GET /forgotten'));
    await counts.forget();
    expect(await stored()).toEqual({ 'GET /written 1000': 1 });
    await Promise.all([written, counts.write()]);
    expect(await stored()).toEqual({ 'GET /written 1000': 1 });
  });

  test('success: concurrent processes on the same rows lose no count and never deadlock', async () => {
    const processes = Array.from({ length: 4 }, () => opened());
    const names = Array.from({ length: 50 }, (_, number) => `GET /${number}`);
    for (let round = 0; round < 5; round++) {
      for (const [place, { counts }] of processes.entries())
        for (const name of place % 2 ? names : names.toReversed()) counts.add(call(name));
      await Promise.all(processes.map(({ counts }) => counts.write()));
    }
    expect(await stored()).toEqual(Object.fromEntries(names.map((name) => [`${name} 1000`, 20])));
    expect(processes.map(({ logged }) => logged()).join('')).toBe('');
  });

  test('success: results are counted separately; a deleted user costs no other its count', async () => {
    const { counts } = opened();
    counts.add(call('GET /a'));
    counts.add(call('GET /a', { result: 2303 }));
    counts.add(call('GET /a', { userId: 999_999 }));
    counts.add(call('x'.repeat(300)));
    await counts.write();
    expect(await stored()).toEqual({ 'GET /a 1000': 1, 'GET /a 2303': 1, [`${'x'.repeat(200)} 1000`]: 1 });
  });

  test('failure: counts that could not be written are logged, kept and written later, up to the bound', async () => {
    const { counts, logged } = opened(2);
    counts.add(call('GET /a'));
    await counts.write();
    await owner.script('alter table api_calls rename to api_calls_away');
    counts.add(call('GET /a'));
    counts.add(call('GET /b'));
    await counts.write();
    counts.add(call('GET /a'));
    counts.add(call('GET /c'));
    await owner.script('alter table api_calls_away rename to api_calls');
    await counts.write();
    expect(await stored()).toEqual({ 'GET /a 1000': 3, 'GET /b 1000': 1 });
    expect(logged()).toContain('the counts of API calls were not written');
    expect(logged()).toMatch(/"calls":1,"msg":"API calls were not counted"/);
  });

  test('success: they are kept for ninety days', async () => {
    await owner.run(sql`
      insert into api_calls (registrar_id, hour, user_id, interface, call, result, calls)
      select registrar_id, date_trunc('hour', now()) - make_interval(days => days), id, 'http', 'GET /' || days, 1000, 1
      from api_users, unnest(array[0, 89, 91, 400]) as days where id = ${userId}`);
    const deleted = [
      await callPurge.removeSome(database.writes, new Date()),
      await callPurge.removeSome(database.writes, new Date()),
    ];
    expect(deleted).toEqual([2, 0]);
    expect(Object.keys(await stored())).toEqual(expect.arrayContaining(['GET /0 1000', 'GET /89 1000']));
  });
});

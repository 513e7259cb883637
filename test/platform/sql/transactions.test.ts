import { expect, inject, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

async function open(writeConnections: number) {
  const { name, drop } = await createTestDatabase();
  const target = { ...inject('server'), database: name };
  const owner = await connectAsOwner(target);
  await owner.run(sql`create table marks (mark int)`);
  await owner.run(sql`grant all on marks to cadastre_app`);
  const database = openDatabase(target, { ...readConfig('sandbox', {}), writeConnections }, 'UTC');
  onTestFinished(async () => {
    await database.close();
    await owner.close();
    await drop();
  });
  return { owner, writes: database.writes };
}

test('success: a transaction that begins while statements are in flight includes none of them', async () => {
  const { owner, writes } = await open(1);
  const slow = writes.rows(sql`select pg_sleep(0.2)`).then(() => 'slept');
  const rolledBack = writes.begin(async (db) => {
    await db.run(sql`insert into marks values (1)`);
    throw new Error('never mind');
  });
  const [slept, transaction, inserted] = await Promise.allSettled([
    slow,
    rolledBack,
    writes.rows(sql`insert into marks values (2)`),
  ]);
  expect([slept.status, transaction.status, inserted.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await owner.rows(sql`select mark from marks`)).toEqual([{ mark: 2 }]);
});

test('success: many concurrent statements and transactions are isolated', async () => {
  const { owner, writes } = await open(3);
  const work = Array.from({ length: 400 }, (_, mark) => {
    if (mark % 4 === 0) return writes.rows(sql`insert into marks values (${mark})`).then(() => true);
    return writes
      .begin(async (db) => {
        await db.run(sql`insert into marks values (${mark})`);
        if (mark % 4 === 1) throw new Error('undone');
        await db.run(sql`select 1`);
      })
      .then(
        () => true,
        (error: Error) => error.message === 'undone',
      );
  });
  expect((await Promise.all(work)).every(Boolean)).toBe(true);
  const kept = Array.from({ length: 400 }, (_, mark) => mark).filter((mark) => mark % 4 !== 1);
  const rows = await owner.rows(sql<{ mark: number }>`select mark from marks order by mark`);
  expect(rows.map(({ mark }) => mark)).toEqual(kept);
  expect(
    await owner.rows(
      sql`select from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`,
    ),
  ).toHaveLength(0);
});

test('success: a transaction may have its own timeout for locks, and plan its statements once', async () => {
  const { owner, writes } = await open(1);
  const settings = sql<{ lock: string; plans: string; prepared: number }>`
    select current_setting('lock_timeout') as lock, current_setting('plan_cache_mode') as plans,
      (select count(*)::int from pg_prepared_statements where statement like 'select * from marks%') as prepared`;
  const marks = sql<{ mark: number }>`select * from marks`;
  const read = () =>
    writes.begin(
      async (db) => {
        const rows = await db.rows(marks);
        return { rows, ...(await db.one(settings)) };
      },
      { lockTimeoutMs: 70_000, isPrepared: true },
    );
  await owner.run(sql`insert into marks values (1)`);
  expect(await read()).toMatchObject({ lock: '70s', plans: 'force_generic_plan', prepared: 1 });
  expect(await writes.begin((db) => db.one(settings))).toMatchObject({ lock: '5s', plans: 'auto' });
  await owner.run(sql`alter table marks add column added int`);
  expect(await read()).toMatchObject({ rows: [{ mark: 1, added: null }] });
});

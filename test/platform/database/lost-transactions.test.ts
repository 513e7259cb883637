import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type Owner, openDatabase } from '../../../src/platform/database/database.ts';
import type { Pool } from '../../../src/platform/sql/executor.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { DatabaseProxy } from '../../support/database-proxy.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { type Driver, faultsOf, interleavings, type Loss, play, type Within } from './interleavings.ts';

/** Every nth of the whole matrix, so that every value of every dimension occurs. */
const played = interleavings.filter((_, place) => process.env.TORTURE !== undefined || place % 11 === 0);

let proxy: DatabaseProxy;
let owner: Owner;
let url: string;
let drop: () => Promise<void>;
const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);
beforeAll(async () => {
  const database = await createTestDatabase();
  const server = inject('server');
  proxy = await DatabaseProxy.open(server);
  owner = await connectAsOwner({ ...server, database: database.name });
  await owner.script('create table marks (mark text not null); grant all on marks to cadastre_app');
  url = `postgres://${server.username}@127.0.0.1:${proxy.port}/${database.name}`;
  drop = database.drop;
  process.on('uncaughtException', note);
  process.on('unhandledRejection', note);
});
afterAll(async () => {
  process.off('uncaughtException', note);
  process.off('unhandledRejection', note);
  await owner.close();
  await proxy.close();
  await drop();
});

const insert = (on: Pool) => (mark: string) => on.run(sql`insert into marks values (${mark})`);

function withinOf(transaction: Pool): Within {
  return {
    insert: insert(transaction),
    savepoint: (work) => transaction.begin((inner) => work(withinOf(inner))),
    pid: async () => (await transaction.one(sql<{ pid: number }>`select pg_backend_pid() as pid`)).pid,
    endWhenIdle: () => transaction.run(sql`set local idle_in_transaction_session_timeout = '5ms'`),
  };
}

const driverOf = (pool: Pool): Driver => ({
  insert: insert(pool),
  begin: (work) => pool.begin((transaction) => work(withinOf(transaction))),
});

const isGone = async (pid: number) =>
  (await owner.maybe(sql`select from pg_stat_activity where pid = ${pid}`)) === undefined;

async function lose(loss: Loss, pid: number, isOver: () => boolean): Promise<void> {
  if (loss === 'close' || loss === 'reset') proxy.cut(loss, pid);
  if (loss === 'terminate') await owner.rows(sql`select pg_terminate_backend(${pid}::int)`);
  if (loss === 'terminate all')
    await owner.rows(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`);
  while (!isOver() && !(await isGone(pid)));
}

describe('a transaction that loses its connection between two statements', () => {
  test.each(played)(
    'failure: $loss, pause $pause, others $startOfOthers, $connections connections; it $continuation: it is rolled back, and no other is affected',
    async (interleaving) => {
      await owner.run(sql`delete from marks`);
      const limits = { ...readConfig('production', {}), writeConnections: interleaving.connections };
      const database = openDatabase(url, limits, 'UTC');
      try {
        const outcome = await play(interleaving, driverOf(database.writes), lose);
        await database.writes.begin(async (transaction) => {
          expect(await transaction.one(sql`select 1 as one`)).toEqual({ one: 1 });
        });
        const found = await owner.rows(sql<{ mark: string }>`select mark from marks`);
        const marks = found.map(({ mark }) => mark);
        expect(faultsOf(interleaving, outcome, marks)).toEqual([]);
        expect(uncaught).toEqual([]);
      } finally {
        await database.close();
      }
    },
  );
});

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type Database, type Owner, openDatabase } from '../../../src/platform/database/database.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let owner: Owner;
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const { name, drop: dropDatabase } = await createTestDatabase();
  const target = { ...inject('server'), database: name };
  owner = await connectAsOwner(target);
  const limits = {
    ...readConfig('sandbox', {}),
    readConnections: 4,
    listConnections: 3,
    writeConnections: 4,
  };
  database = openDatabase(target, limits, 'Europe/Tallinn');
  drop = dropDatabase;
  await owner.script(`
    create table plots (id int primary key, size int not null);
    insert into plots select n, n from generate_series(1, 100) n;
    create function sizes_of(wanted int) returns setof plots language plpgsql as $$
      declare found plots;
      begin select * into strict found from plots where id = wanted; return next found; end $$;
    grant select, insert, update on plots to cadastre_app`);
});
afterAll(async () => {
  await Promise.all([owner.close(), database.close()]);
  await drop();
});

/** Statements of different texts, each prepared under its own name, whose results have every column. */
const STATEMENTS = [
  (id: number) => sql`select * from plots where id = ${id}`,
  (id: number) => sql`select p.* from plots p where p.id = ${id}`,
  (id: number) => sql`select * from plots where id = ${id} order by id`,
  (id: number) => sql`select p, p.* from plots p where p.id = ${id}`,
  (id: number) => sql`select * from sizes_of(${id})`,
  // Connections learn of the change at different times, and statements move from one to the next.
  (id: number) => sql`select p.*, pg_sleep(0.003)::text as slept from plots p where id = ${id}`,
  (id: number) => sql`select 1 as found, pg_sleep(0.003)::text as slept, ${id}::int as id`,
];
const WRITES = [
  (id: number) => sql`update plots set size = size + 1 where id = ${id} returning *`,
  (id: number) =>
    sql`with one as (update plots set size = size + 1 where id = ${id} returning *) select * from one`,
];
const ROUNDS = 5;
const AT_ONCE = 60;

/** Several times in a row, so that all connections are open and have prepared everything before the next change. */
const REPEATED = 4;

async function whileColumnsAreAdded(label: string, send: (index: number) => Promise<readonly object[]>) {
  for (let round = 0; round < ROUNDS * REPEATED; round++) {
    const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, index) => send(index)));
    expect(outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([]);
    expect(outcomes.every((one) => one.status === 'fulfilled' && one.value.length === 1)).toBe(true);
    if (round % REPEATED === REPEATED - 1)
      await owner.script(`alter table plots add column ${label}_${round} text`);
  }
}

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

describe('columns are added to a table that prepared statements use', () => {
  test('success: pipelined reads, which move from one connection to the next', () =>
    whileColumnsAreAdded('read', (index) => database.reads.rows(pick(STATEMENTS, index)(index + 1))));

  test('success: lists', () =>
    whileColumnsAreAdded('list', (index) => database.lists.rows(pick(STATEMENTS, index)(index + 1))));

  test('success: single writes', () =>
    whileColumnsAreAdded('write', (index) => database.writes.rows(pick(WRITES, index)(index + 1))));

  test('success: transactions, also in functions', () =>
    whileColumnsAreAdded('transaction', (index) =>
      database.writes.begin(async (db) => {
        await db.rows(pick(STATEMENTS, index)(index + 1));
        return db.rows(pick(WRITES, index)(index + 1));
      }),
    ));
});

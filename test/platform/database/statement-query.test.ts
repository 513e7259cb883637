import { expect, inject, onTestFinished, test } from 'vitest';
import { sql } from '../../../src/platform/sql/statement.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';

/** On one connection, so that a temporary table is there for the next statement. */
async function open() {
  const owner = await connectAsOwner(inject('server'));
  onTestFinished(() => owner.close());
  return owner;
}

test('success: the same text is read by the columns that each answer has', async () => {
  const [one, other] = [await open(), await open()];
  await one.script('create temporary table samples (value int, at timestamptz)');
  await other.script('create temporary table samples (value jsonb, at text)');
  const write = (value: string) => sql`insert into samples values (${value}, '2030-01-02T03:04:05Z')`;
  expect([await one.run(write('7')), await other.run(write('{"a": 1}'))]).toEqual([1, 1]);
  const read = () => sql`select value, at, null as nothing from samples`;
  for (let round = 0; round < 2; round++) {
    expect(await one.rows(read())).toEqual([
      { value: 7, at: new Date('2030-01-02T03:04:05Z'), nothing: null },
    ]);
    expect(await other.rows(read())).toEqual([
      { value: { a: 1 }, at: '2030-01-02T03:04:05Z', nothing: null },
    ]);
  }
});

test('success: it returns the number of affected rows', async () => {
  const db = await open();
  await db.script('create temporary table counted (n int)');
  expect(await db.run(sql`insert into counted select generate_series(1, ${12}::int)`)).toBe(12);
  expect(await db.run(sql`update counted set n = 0 where n > ${2}`)).toBe(10);
  expect(await db.run(sql`delete from counted where n > ${5}`)).toBe(0);
  expect(await db.run(sql`select from counted`)).toBe(12);
  expect(await db.run(sql`analyze counted`)).toBe(0);
});

test('failure: a value that cannot be read fails its statement, and the connection serves the next', async () => {
  const db = await open();
  const beyond = sql`select n::bigint * ${2n ** 53n} as n from generate_series(1, 3) as n`;
  await expect(db.rows(beyond)).rejects.toThrow('beyond exact numbers');
  await expect(db.rows(sql`select 1 / ${0}::int as n`)).rejects.toMatchObject({ code: '22012' });
  expect(await db.one(sql`select ${1}::int as n`)).toEqual({ n: 1 });
});

test('failure: the trace of an error leads to its caller', async () => {
  const error = await (await open())
    .rows(sql`select from nothing_of_this_name`)
    .catch((reason: Error) => reason);
  expect(error).toMatchObject({ stack: expect.stringContaining('platform/sql') });
});

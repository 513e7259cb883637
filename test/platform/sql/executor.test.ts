import { expect, inject, onTestFinished, test } from 'vitest';
import {
  classifyDatabaseError,
  TransactionEnded,
  UnexpectedRows,
} from '../../../src/platform/database/database-errors.ts';
import type { Pool } from '../../../src/platform/sql/executor.ts';
import { sql } from '../../../src/platform/sql/statement.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';

async function open() {
  const owner = await connectAsOwner(inject('server'));
  onTestFinished(() => owner.close());
  return owner;
}

test('failure: a missing row that must exist is unavailable, never "not found"', async () => {
  const db = await open();
  for (const rows of [0, 2]) {
    const error = await db.one(sql`select from generate_series(1, ${rows}::int)`).catch((reason) => reason);
    expect(error).toBeInstanceOf(UnexpectedRows);
    expect(classifyDatabaseError(error)).toBe('unavailable');
  }
  expect(await db.maybe(sql`select where false`)).toBeUndefined();
  await expect(db.maybe(sql`select from generate_series(1, 2)`)).rejects.toThrow(UnexpectedRows);
});

test('failure: a commit that the server answers with a rollback is a failure, and the handle is closed', async () => {
  const db = await open();
  let handle: Pool | undefined;
  const swallowed = db.begin(async (transaction) => {
    handle = transaction;
    await transaction.run(sql`select 1 / 0`).catch(() => {});
  });
  await expect(swallowed).rejects.toThrow('rolled back instead of committed');
  await expect(handle?.rows(sql`select 1`)).rejects.toThrow(TransactionEnded);
  expect(await db.one(sql`select 1 as one`)).toEqual({ one: 1 });
});

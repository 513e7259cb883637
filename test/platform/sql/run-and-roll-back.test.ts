import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Owner } from '../../../src/platform/database/database.ts';
import type { Pool } from '../../../src/platform/sql/executor.ts';
import { runAndRollBack } from '../../../src/platform/sql/run-and-roll-back.ts';
import { connectAsOwner } from '../../support/connect-as-owner.ts';
import { createTestDatabase } from '../../support/registry.ts';
import { sql } from '../../support/sql.ts';

let db: Owner;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase('template0');
  db = await connectAsOwner({ ...inject('server'), database: database.name });
  drop = database.drop;
  await db.run(sql`create table things (name text primary key)`);
});
afterAll(async () => {
  await db.close();
  await drop();
});

const things = async (of: Pool = db) =>
  (await of.rows(sql<{ name: string }>`select name from things order by name`)).map(({ name }) => name);

describe('work that is rolled back', () => {
  test('success: it sees its own changes, returns the result, and leaves no change', async () => {
    const seen = await runAndRollBack(db, async (tx) => {
      await tx.run(sql`insert into things values ('one')`);
      await tx.begin(async (within) => {
        await within.run(sql`insert into things values ('two')`);
      });
      return things(tx);
    });
    expect(seen).toEqual(['one', 'two']);
    expect(await things()).toEqual([]);
  });

  test('success: a nested transaction that fails rolls back its own part alone', async () => {
    const seen = await runAndRollBack(db, async (tx) => {
      await tx.run(sql`insert into things values ('one')`);
      await tx
        .begin(async (within) => {
          await within.run(sql`insert into things values ('two')`);
          throw new Error('changed my mind');
        })
        .catch(() => {});
      return things(tx);
    });
    expect(seen).toEqual(['one']);
    expect(await things()).toEqual([]);
  });

  test('failure: an error of the work or of a constraint is thrown, and nothing stays', async () => {
    await expect(runAndRollBack(db, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(
      runAndRollBack(db, async (tx) => {
        await tx.run(sql`insert into things values ('one')`);
        await tx.run(sql`insert into things values ('one')`);
      }),
    ).rejects.toThrow(/duplicate key/);
    expect(await things()).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { setIdentities } from '../../src/backup/schema-guards.ts';
import type { Owner } from '../../src/platform/database/database.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { createTestDatabase } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

// Restores are tested by the slow lane alone; what this one says to the database is proved after the quick one, too.

let owner: Owner;
let drop: () => Promise<void>;
beforeAll(async () => {
  const created = await createTestDatabase();
  drop = created.drop;
  owner = await connectAsOwner({ ...inject('server'), database: created.name });
});
afterAll(async () => {
  await owner.close();
  await drop();
});

const identity = (last: number | null) => ({ table: 'registrars', column: 'id', last });
const next = async (): Promise<number> => {
  const { id } = await owner.one(sql`select nextval(pg_get_serial_sequence('registrars', 'id')) as id`);
  return id;
};

describe('identity columns of a restored table', () => {
  test('success: they continue behind what was drawn', async () => {
    await setIdentities(owner, [identity(700)]);
    expect(await next()).toBe(701);
  });

  test('success: where nothing was drawn they stay as they are', async () => {
    const before = await next();
    await setIdentities(owner, [identity(null)]);
    expect(await next()).toBe(before + 1);
  });

  test('failure: a row is beyond what was drawn', async () => {
    await expect(setIdentities(owner, [identity(0)])).rejects.toThrow(
      /^The backup has registrars with a id of \d+, beyond the last one drawn \(0\)\.$/,
    );
  });
});

import { expect } from 'vitest';
import type { Pool, Sql } from '../../src/platform/sql/executor.ts';

class Undone extends Error {}

/** The findings after some damage, which is rolled back. */
export async function lookAfterDamage<T>(
  pool: Pool,
  damage: string,
  look: (db: Sql) => Promise<T>,
): Promise<T> {
  let found: T | undefined;
  const undo = pool.begin(async (db) => {
    await db.script('set local session_replication_role = replica');
    await db.script(damage);
    found = await look(db);
    throw new Undone();
  });
  await expect(undo).rejects.toThrow(Undone);
  return found as T;
}

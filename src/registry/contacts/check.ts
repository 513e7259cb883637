import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { isContactCode, searchKey } from './fields.ts';

/** Whether a new contact could have this code. */
export async function isContactCodeFree(db: Sql, code: string, policy: Policy): Promise<boolean> {
  if (!isContactCode(code, policy)) return false;
  const row = await db.one(sql<{ free: boolean }>`
    select not exists (select from contacts where code_key = ${searchKey(code)}) as free`);
  return row.free;
}

import type { Sql } from '../../platform/database/database.ts';
import type { Policy } from '../../policy/policy.ts';
import { isContactCode, searchKey } from './fields.ts';

/** Whether a new contact could have this code. */
export async function isContactCodeFree(sql: Sql, code: string, policy: Policy): Promise<boolean> {
  if (!isContactCode(code, policy)) return false;
  const [row] = await sql<{ free: boolean }[]>`
    select not exists (select from contacts where code_key = ${searchKey(code)}) as free`;
  return row?.free ?? false;
}

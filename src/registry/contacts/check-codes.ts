import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import { isContactCode, searchKey } from './contact-fields.ts';

export type CheckedCode = { readonly code: string; readonly available: boolean };

/** Whether new contacts could have these codes, in their order; a code that no contact can have is not available. */
export async function checkContactCodes(
  db: Sql,
  codes: readonly string[],
  policy: Policy,
): Promise<CheckedCode[]> {
  const keys = codes.filter((code) => isContactCode(code, policy)).map(searchKey);
  const rows =
    keys.length === 0
      ? []
      : await db.rows(sql<{ key: string }>`
          select code_key as key from contacts where code_key = any(${keys}::text[])`);
  const taken = new Set(rows.map(({ key }) => key));
  return codes.map((code) => ({
    code,
    available: isContactCode(code, policy) && !taken.has(searchKey(code)),
  }));
}

export async function isContactCodeFree(db: Sql, code: string, policy: Policy): Promise<boolean> {
  const [checked] = await checkContactCodes(db, [code], policy);
  return checked?.available ?? false;
}

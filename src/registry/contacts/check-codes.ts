import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Principal } from '../actor.ts';
import { isContactCode, searchKey } from './contact-fields.ts';
import { counterpartCode } from './prefixed-codes.ts';

export type CheckedCode = { readonly code: string; readonly available: boolean };

/**
 * Whether new contacts could have these codes, in their order; a code that no contact can have is not available. For a
 * caller with the compatibility profile one is not available either if its counterpart is a contact of the caller.
 */
export async function checkContactCodes(
  db: Sql,
  codes: readonly string[],
  policy: Policy,
  caller?: Principal,
): Promise<CheckedCode[]> {
  const possible = codes.filter((code) => isContactCode(code, policy));
  const keys = possible.map(searchKey);
  const counterparts = caller?.compatibility
    ? sql`union all select asked.key from unnest(${keys}::text[], ${possible.map((code) => searchKey(counterpartCode(code, caller)))}::text[]) as asked(key, counterpart)
        join contacts c on c.code_key = asked.counterpart and c.registrar_id = ${caller.registrarId}`
    : sql``;
  const rows =
    keys.length === 0
      ? []
      : await db.rows(sql<{ key: string }>`
          select code_key as key from contacts where code_key = any(${keys}::text[]) ${counterparts}`);
  const taken = new Set(rows.map(({ key }) => key));
  return codes.map((code) => ({
    code,
    available: isContactCode(code, policy) && !taken.has(searchKey(code)),
  }));
}

export async function isContactCodeFree(
  db: Sql,
  code: string,
  policy: Policy,
  caller?: Principal,
): Promise<boolean> {
  const [checked] = await checkContactCodes(db, [code], policy, caller);
  return checked?.available ?? false;
}

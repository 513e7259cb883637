import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { addressMatcher } from '../../platform/values/ip-addresses.ts';
import { ADDRESS_TABLES, type AddressPurpose } from './address-list.ts';

export type AllowedAddresses = {
  readonly registrar: string;
  readonly range: string;
  readonly note: string;
  readonly since: Date;
};

export const listAllowedAddresses = (
  db: Sql,
  registrar?: string,
  purpose: AddressPurpose = 'api',
): Promise<AllowedAddresses[]> =>
  db.rows(sql<AllowedAddresses>`
    select r.code as registrar, a.range::text as range, a.note, a.created_at as since
    from ${ADDRESS_TABLES[purpose]} a join registrars r on r.id = a.registrar_id
    where ${registrar ?? null}::text is null or r.code = ${registrar ?? null}
    order by r.code, a.range`);

/** Whether a registrar's list allows an address, and which range decides. */
export async function testAddress(
  db: Sql,
  registrar: string,
  address: string,
  purpose: AddressPurpose = 'api',
): Promise<{ readonly allowed: boolean; readonly reason: string }> {
  const ranges = (await listAllowedAddresses(db, registrar, purpose)).map(({ range }) => range);
  if (ranges.length === 0) return { allowed: true, reason: `${registrar} has no list: any address may come` };
  const matched = ranges.find((range) => addressMatcher([range])(address));
  return matched === undefined
    ? { allowed: false, reason: `none of the ranges of ${registrar} has it: ${ranges.join(', ')}` }
    : { allowed: true, reason: `${matched} has it` };
}

import type { Database } from '../../platform/database/database.ts';
import { type Fragment, sql } from '../../platform/sql/statement.ts';
import { requireTransferCode, type WrongCodes, wrongCodesOf } from '../access/wrong-transfer-codes.ts';
import type { Context } from '../operation.ts';
import { refuseMissing } from '../removed.ts';

type Row = {
  readonly id: number;
  readonly registrarId: number;
  readonly transferCode: string;
  readonly wrongCodes: WrongCodes;
  readonly info: string;
};

/**
 * What a registrar that intends to transfer a domain is told about it, as an interface writes it: JSON text for a row `d`
 * of domains.
 */
export async function readTransferInfo(
  database: Database,
  { name, transferCode }: { readonly name: string; readonly transferCode: string | undefined },
  info: Fragment,
  context: Context,
): Promise<string> {
  const { principal, now } = context;
  const { registrarId } = principal;
  const row = await database.reads.maybe(sql<Row>`
    select d.id, d.registrar_id as "registrarId", d.transfer_code as "transferCode", ${wrongCodesOf(name, { registrarId, now })} as "wrongCodes",
      ${info} as info
    from domains d where d.name = ${name}`);
  if (!row) return refuseMissing(database.reads, 'domain', name, principal);
  await requireTransferCode(database.writes, { ...row, name }, transferCode, context);
  return row.info;
}

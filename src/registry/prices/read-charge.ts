import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { Context } from '../operation.ts';

/** What the change of a domain cost that a request with this key has made; nothing if it cost nothing. */
export async function readCharge(
  db: Sql,
  name: string,
  { principal, requestKey }: Pick<Context, 'principal' | 'requestKey'>,
): Promise<Cents> {
  const row = await db.maybe(sql<{ amount: string }>`
    select e.amount::text as amount from history h join ledger_entries e on e.history_id = h.id
    where h.object_kind = 'domain' and h.object_name = ${name} and h.registrar_id = ${principal.registrarId}
      and h.idempotency_key = ${requestKey?.key ?? null}
    order by h.id desc limit 1`);
  return BigInt(row?.amount ?? 0);
}

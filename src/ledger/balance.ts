import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';
import type { Cents } from '../platform/values/money.ts';

export async function balanceOf(db: Sql, registrarId: number): Promise<Cents> {
  const row = await db.one(sql<{ balance: string }>`
    select balance::text as balance from ledger_accounts where registrar_id = ${registrarId} and kind = 'registrar'`);
  return BigInt(row.balance);
}

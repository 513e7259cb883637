import type { Sql } from '../platform/database/database.ts';
import type { Cents } from '../platform/money.ts';

export async function balanceOf(sql: Sql, registrarId: number): Promise<Cents> {
  const [row] = await sql<{ balance: string }[]>`
    select balance::text as balance from ledger_accounts where registrar_id = ${registrarId} and kind = 'registrar'`;
  if (!row) throw new Error(`registrar ${registrarId} has no account`);
  return BigInt(row.balance);
}

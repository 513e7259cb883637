import { type Move, moveRegistrarMoney } from '../../ledger/move.ts';
import type { Sql } from '../../platform/database/database.ts';
import { warnOfLowBalance } from '../poll/low-balance.ts';

/** Money of a paid invoice, for a registrar or back from him; who falls below his threshold by it is told. */
export async function moveTopUp(sql: Sql, move: Omit<Move, 'by'>): Promise<void> {
  const { registrarId, amount, at } = move;
  const [before] = await sql<{ balance: string }[]>`
    select balance::text as balance from ledger_accounts where registrar_id = ${registrarId} and kind = 'registrar' for update`;
  const after = await moveRegistrarMoney(sql, { ...move, by: 'payments' });
  if (amount < 0n)
    await warnOfLowBalance(sql, { registrarId, at, total: BigInt(before?.balance ?? 0) - after });
}

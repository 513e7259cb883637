import { type Move, moveRegistrarMoney } from '../../ledger/move.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { warnOfLowBalance } from '../poll/low-balance.ts';

/** Money of a paid invoice, for a registrar or back from him; who falls below his threshold by it is told. */
export async function moveTopUp(db: Sql, move: Omit<Move, 'by'>): Promise<void> {
  const { registrarId, amount, at } = move;
  const before = await db.one(sql<{ balance: string }>`
    select balance::text as balance from ledger_accounts where registrar_id = ${registrarId} and kind = 'registrar' for update`);
  const after = await moveRegistrarMoney(db, { ...move, by: 'payments' });
  if (amount < 0n) await warnOfLowBalance(db, { registrarId, at, total: BigInt(before.balance) - after });
}

import { type Move, moveRegistrarMoney } from '../../ledger/move.ts';
import type { Sql } from '../../platform/database/database.ts';

/** Money of a paid invoice, for a registrar or back from him. */
export async function moveTopUp(sql: Sql, move: Omit<Move, 'by'>): Promise<void> {
  await moveRegistrarMoney(sql, { ...move, by: 'payments' });
}

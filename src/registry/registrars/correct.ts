import { type Correction, correctBalance } from '../../ledger/correct.ts';
import { runTransaction } from '../../operations/in-transaction.ts';
import type { Pool } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import { warnOfLowBalance } from '../poll/low-balance.ts';

/** Corrects a registrar's balance; who falls below his threshold by it is told. Undefined where it cannot be done. */
export function correctRegistrar(pool: Pool, correction: Correction): Promise<Cents | undefined> {
  const { registrar, amount, at } = correction;
  return runTransaction(pool, at, async (db) => {
    const balance = await correctBalance(db, correction);
    const row = await db.maybe(sql<{ id: number }>`select id from registrars where code = ${registrar}`);
    if (balance !== undefined && row && amount < 0n)
      await warnOfLowBalance(db, { registrarId: row.id, total: -amount, at });
    return balance;
  });
}

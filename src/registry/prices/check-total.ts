import { type FundsRow, fundsOf, readFunds } from '../../ledger/charge.ts';
import type { Refusal } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Cents } from '../../platform/values/money.ts';
import type { RegistrarScope } from '../actor.ts';
import { checkFunds } from './check-funds.ts';

/** Whether a registrar can pay so much now, and what would be left. */
export async function checkTotal(
  db: Sql,
  price: Cents,
  { registrarId }: RegistrarScope,
): Promise<{ readonly refusals: readonly Refusal[]; readonly balanceAfter: Cents }> {
  const { funds } = await db.one(sql<{ funds: FundsRow }>`select ${fundsOf(registrarId)} as funds`);
  const read = readFunds(funds);
  return { refusals: checkFunds(price, read), balanceAfter: read.balance - price };
}

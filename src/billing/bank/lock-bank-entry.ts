import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { refuse } from '../billing-refusals.ts';
import type { BankStatus } from './bank-entry-store.ts';

export type LockedEntry = {
  readonly id: number;
  readonly direction: 'credit' | 'debit';
  readonly isReturn: boolean;
  readonly amount: bigint;
  readonly currency: string;
  readonly status: BankStatus;
};

/** Serializes concurrent assignments of the same line; the later one sees the status that the earlier one set. */
export async function lockBankEntry(db: Sql, id: number, status: BankStatus): Promise<LockedEntry> {
  const row = await db.maybe(sql<Omit<LockedEntry, 'amount'> & { amount: string }>`
    select id, direction, is_return as "isReturn", amount::text as amount, currency, status from bank_entries where id = ${id} for update`);
  if (!row) return refuse('entryUnknown', { id });
  if (row.status !== status) refuse('entryHasStatus', { id, status: row.status });
  return { ...row, amount: BigInt(row.amount) };
}

/** A returned outgoing payment of ours is not a customer's payment. */
export function requireIncoming({ direction, isReturn }: LockedEntry): void {
  if (direction === 'credit' && isReturn) refuse('entryIsReversal');
}

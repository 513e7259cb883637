import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { AuditActor } from '../payments/external-payment.ts';
import { setEntryStatus } from './bank-entry-store.ts';
import type { BankLine } from './bank-line.ts';

type Other = {
  readonly id: number;
  readonly isBatch: boolean;
  readonly status: string;
  readonly amount: string;
};

/**
 * A bank may report several payments as one sum in one document and itemized in another. The sum must not be counted in
 * addition to its parts: the items replace it unless it was already booked.
 */
export async function fitBatch(
  db: Sql,
  { account, entryReference, share, amount }: BankLine,
  auditActor: AuditActor,
): Promise<'known' | 'batch' | undefined> {
  if (entryReference === null || share === 'whole') return undefined;
  const others = await db.rows(sql<Other>`
    select id, batch_booking as "isBatch", status, amount::text as amount from bank_entries where account = ${account} and entry_reference = ${entryReference}`);
  const sum = others.find(({ isBatch }) => isBatch);
  const parts = others.filter(({ isBatch }) => !isBatch);
  if (share === 'batch')
    return parts.length > 0 && parts.reduce((total, part) => total + BigInt(part.amount), 0n) === amount
      ? 'known'
      : 'batch';
  if (sum?.status === 'booked') return 'batch';
  if (sum?.status === 'unmatched')
    await setEntryStatus(db, sum.id, {
      ...auditActor,
      from: 'unmatched',
      to: 'aside',
      unmatchedReason: 'batch',
      reason: 'the bank told its payments one by one',
    });
  return undefined;
}

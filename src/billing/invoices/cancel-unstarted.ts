import { runTransaction } from '../../operations/in-transaction.ts';
import { withoutDeadline } from '../../platform/work-scope.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import type { Billing, Caller } from '../context.ts';
import { changeStatuses } from './change-statuses.ts';
import { canBecome } from './invoice.ts';
import { lockInvoice } from './invoice-store.ts';

/** Cancels an invoice that was issued for a single payment attempt when that attempt cannot be started. */
export async function cancelUnstarted<T>(
  { database }: Billing,
  { initiator, now }: Caller,
  number: number,
  begin: () => Promise<T>,
): Promise<T> {
  try {
    return await begin();
  } catch (error) {
    const cancel = async (db: Sql) => {
      const invoice = await lockInvoice(db, number);
      if (!invoice || !canBecome(invoice.status, 'cancelled')) return;
      const reason = 'the payment could not be begun';
      await changeStatuses(db, [{ invoice, to: 'cancelled' }], { actor: initiator, at: now, reason });
    };
    await withoutDeadline(() => runTransaction(database.writes, now, cancel));
    throw error;
  }
}

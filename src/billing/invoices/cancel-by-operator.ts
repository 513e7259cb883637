import type { Sql } from '../../platform/sql/executor.ts';
import { changeStatuses } from './change.ts';
import { canBecome, type Status } from './invoice.ts';
import { lockInvoice } from './store.ts';

type Order = { readonly number: number; readonly reason: string; readonly actor: string; readonly at: Date };

/**
 * Nobody is to pay the invoice any more; its service is told, and money that still arrives is paid back by itself.
 * What it was when that cannot be, undefined when there is no such invoice.
 */
export async function cancelByOperator(
  db: Sql,
  { number, ...cause }: Order,
): Promise<'cancelled' | { readonly is: Status } | undefined> {
  const invoice = await lockInvoice(db, number);
  if (!invoice) return undefined;
  if (!canBecome(invoice.status, 'cancelled')) return { is: invoice.status };
  await changeStatuses(db, [{ invoice, to: 'cancelled' }], cause);
  return 'cancelled';
}

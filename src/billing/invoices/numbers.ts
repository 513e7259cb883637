import type { Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Initiator } from '../initiators.ts';
import { refuse } from '../refusals.ts';

export type NumberRange = keyof Policy['billing']['numberRanges'];

/**
 * The lowest number of the range that was never handed out, from now on bound to whoever asked. Who asks at the same
 * time waits until this transaction ends.
 */
export async function takeNumber(
  db: Sql,
  range: NumberRange,
  initiator: Initiator,
  { policy, now }: { readonly policy: Policy; readonly now: Date },
): Promise<number> {
  const { first, last } = policy.billing.numberRanges[range];
  const row = await db.one(sql<{ number: number | null }>`
    select take_invoice_number(${range}, ${first}, ${last}, ${initiator}, ${now}) as number`);
  return row.number ?? refuse('noInvoiceNumber');
}

import type { Parsed } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Cents, parseAmount, toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import { refusal } from '../billing-refusals.ts';
import type { PaymentProvider } from '../provider/provider.ts';
import { amountsOf, findPayer, issueTopUp, type TopUpInvoice } from './top-up.ts';

export const MAX_TOP_UP: Cents = 100_000_000_00n;

/** What the account is to gain, as it was written in a field. */
export function parseTopUp(
  text: string | undefined,
  { billing: { leastTopUp } }: Policy,
  field: string,
): Parsed<Cents> {
  const net = text === undefined ? undefined : parseAmount(text);
  if (net === undefined)
    return { refusals: [refusal('wrongSyntax', { field, expected: 'an amount such as 100.00' })] };
  if (net < leastTopUp || net > MAX_TOP_UP) {
    const expected = `from ${toDecimal(leastTopUp)} to ${toDecimal(MAX_TOP_UP)}`;
    return { refusals: [refusal('outOfRange', { field, expected })] };
  }
  return { value: net };
}

type Order = {
  readonly registrarId: number;
  readonly net: Cents;
  readonly actor: string;
  readonly now: Date;
  /** The amounts are computed, and nothing is issued. */
  readonly dryRun: boolean;
};
type Ordered = Omit<TopUpInvoice, 'invoice_number' | 'payment_link'> & Partial<TopUpInvoice>;

/** A registrar orders an invoice by which it tops up its account. Inside the caller's transaction. */
export async function orderTopUp(
  db: Sql,
  { policy, provider }: { readonly policy: Policy; readonly provider: PaymentProvider },
  { registrarId, net, actor, now, dryRun }: Order,
): Promise<{ readonly invoice: Ordered }> {
  if (dryRun) return { invoice: amountsOf(net, policy, now) };
  const registrar = await findPayer(db, registrarId);
  return {
    invoice: await issueTopUp(db, { policy, provider }, { registrar, net, now, automatic: false, actor }),
  };
}

import type { Parsed } from '../../operations/refusal.ts';
import type { Sql } from '../../platform/sql/executor.ts';
import { type Cents, parseAmount, toDecimal } from '../../platform/values/money.ts';
import type { Policy } from '../../policy/policy.ts';
import { refusal } from '../billing-refusals.ts';
import type { PaymentProvider } from '../provider/provider.ts';
import { findPayer, issueTopUp, type TopUpInvoice, type TopUpTerms, topUpTerms } from './issue-top-up.ts';

export const MAX_TOP_UP: Cents = 100_000_000_00n;

/** What the account is to gain, as it was written. */
export function parseTopUp(text: string | undefined, { billing: { leastTopUp } }: Policy): Parsed<Cents> {
  const net = text === undefined ? undefined : parseAmount(text);
  if (net === undefined)
    return { refusals: [refusal('wrongSyntax', { at: ['amount'], expected: 'an amount such as 100.00' })] };
  if (net < leastTopUp || net > MAX_TOP_UP) {
    const expected = `from ${toDecimal(leastTopUp)} to ${toDecimal(MAX_TOP_UP)}`;
    return { refusals: [refusal('outOfRange', { at: ['amount'], expected })] };
  }
  return { value: net };
}

type Order = {
  readonly registrarId: number;
  readonly net: Cents;
  readonly actor: string;
  readonly idempotencyKey?: string | null | undefined;
  readonly now: Date;
  /** The amounts are computed, and nothing is issued. */
  readonly dryRun: boolean;
};
/** Without number and link in a dry run. */
export type OrderedTopUp = TopUpTerms & Partial<TopUpInvoice>;

/** A registrar orders an invoice by which it tops up its account. Inside the caller's transaction. */
export async function orderTopUp(
  db: Sql,
  { policy, provider }: { readonly policy: Policy; readonly provider: PaymentProvider },
  { registrarId, net, actor, idempotencyKey = null, now, dryRun }: Order,
): Promise<OrderedTopUp> {
  if (dryRun) return topUpTerms(net, policy, now);
  const registrar = await findPayer(db, registrarId);
  const order = { registrar, net, now, automatic: false, actor, idempotencyKey };
  return issueTopUp(db, { policy, provider }, order);
}

import { canPay, type Funds } from '../../ledger/charge.ts';
import type { Refusal } from '../../operations/refusal.ts';
import { type Cents, toDecimal } from '../../platform/values/money.ts';
import { registryRefusals } from '../registry-refusals.ts';

const { refusal } = registryRefusals<never>();

/** Whether the price can be paid now. What is missing is what must be credited first: a credit repays a debt first. */
export function checkFunds(price: Cents, funds: Funds): Refusal[] {
  if (canPay(funds, price)) return [];
  const { balance, debt } = funds;
  const missing = debt + (balance < price ? price - balance : 0n);
  return [
    refusal('noFunds', {
      price: toDecimal(price),
      balance: toDecimal(balance),
      missing: toDecimal(missing),
    }),
  ];
}

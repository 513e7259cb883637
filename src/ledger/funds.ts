import { type Fragment, sql } from '../platform/sql/statement.ts';
import type { Cents } from '../platform/values/money.ts';

/** What a registrar has and owes, in cents as text, so that no digit is lost on the way. */
export type FundsRow = { readonly balance: string; readonly debt: string };
export type Funds = { readonly balance: Cents; readonly debt: Cents };

/** A JSON value {balance, debt}: a part of a loading statement. */
export function fundsOf(registrarId: number | Fragment): Fragment {
  return sql`(
    select json_build_object(
      'balance', (max(balance) filter (where kind = 'registrar'))::text, 'debt', (max(balance) filter (where kind = 'debt'))::text)
    from ledger_accounts where registrar_id = ${registrarId})`;
}

export const readFunds = ({ balance, debt }: FundsRow): Funds => ({
  balance: BigInt(balance),
  debt: BigInt(debt),
});

/** Whether a price can be paid now: spending is closed while a debt stands. */
export const canPay = ({ balance, debt }: Funds, price: Cents): boolean => debt === 0n && balance >= price;

import {
  type Credit,
  creditRegistrar,
  type Move,
  moveRegistrarMoney,
} from '../../ledger/credit-registrar.ts';
import { runTransaction } from '../../operations/in-transaction.ts';
import type { Pool, Sql } from '../../platform/sql/executor.ts';
import { sql } from '../../platform/sql/statement.ts';
import { type Cents, toDecimal } from '../../platform/values/money.ts';
import { warnOfLowBalance } from '../poll/low-balance.ts';
import { message, type NewMessage, sendMessages } from '../poll/send-messages.ts';

/** Credits a registrar's account, with the messages about it. Undefined if there is no such registrar. */
export const creditAccount = (pool: Pool, credit: Credit): Promise<Cents | undefined> =>
  runTransaction(pool, credit.at, async (db) => {
    const { registrar } = credit;
    const found = await db.maybe(sql<{ id: number }>`select id from registrars where code = ${registrar}`);
    if (!found) return undefined;
    return moveWithMessages(db, { ...credit, registrarId: found.id }, (tx) => creditRegistrar(tx, credit));
  });

/** Books a top-up or its reversal, with the messages about it. */
export async function moveTopUp(db: Sql, move: Omit<Move, 'by'>): Promise<void> {
  await moveWithMessages(db, move, (tx) => moveRegistrarMoney(tx, { ...move, by: 'payments' }));
}

type MoneyMove = {
  readonly registrarId: number;
  readonly amount: Cents;
  readonly description: string;
  readonly at: Date;
  /** Of the invoice whose payment it is. */
  readonly invoiceNumber?: number | undefined;
};

/** Moves a registrar's money, with messages to it about the amount and its debt. Undefined if `work` cannot. */
export async function moveWithMessages(
  db: Sql,
  { registrarId, amount, description: cause, at, invoiceNumber }: MoneyMove,
  work: (db: Sql) => Promise<Cents | undefined>,
): Promise<Cents | undefined> {
  const before = await lockFunds(db, registrarId);
  const balance = await work(db);
  if (balance === undefined) return undefined;
  const after = await lockFunds(db, registrarId);
  if (amount < 0n) await warnOfLowBalance(db, { registrarId, at, total: before.balance - after.balance });
  const messages = messagesOf({ registrarId, amount, cause }, before, after).map((each) => ({
    ...each,
    invoiceNumber,
  }));
  await sendMessages(db, messages, { actor: 'payments', now: at });
  return balance;
}

function messagesOf(
  { amount, ...about }: { readonly registrarId: number; readonly amount: Cents; readonly cause: string },
  before: Funds,
  { debt, balance, currency }: Funds,
): NewMessage[] {
  const details = { ...about, currency, debt: toDecimal(debt), balance: toDecimal(balance) };
  const incurred = debt - before.debt;
  if (amount > 0n)
    return [
      { ...message('balance_credited', { ...details, amount: toDecimal(amount) }), amount },
      ...(incurred < 0n
        ? [{ ...message('debt_repaid', { ...details, repaid: toDecimal(-incurred) }), amount: -incurred }]
        : []),
    ];
  const taken = toDecimal(-amount);
  const debit =
    incurred > 0n
      ? message('debt_incurred', { ...details, taken, uncovered: toDecimal(incurred) })
      : message('balance_debited', { ...details, amount: taken });
  return [{ ...debit, amount: -amount }];
}

type Funds = { readonly balance: Cents; readonly debt: Cents; readonly currency: string };

/** In the order in which the functions of the database lock them: the balance first. */
async function lockFunds(db: Sql, registrarId: number): Promise<Funds> {
  const accounts = await db.rows(sql<{ kind: string; balance: string; currency: string }>`
    select kind, balance::text as balance, currency from ledger_accounts where registrar_id = ${registrarId}
    order by kind = 'debt' for update`);
  const of = (kind: string) => BigInt(accounts.find((account) => account.kind === kind)?.balance ?? 0);
  return { balance: of('registrar'), debt: of('debt'), currency: accounts[0]?.currency ?? '' };
}

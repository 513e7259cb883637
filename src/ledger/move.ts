import type { Sql } from '../platform/sql/executor.ts';
import { json, sql } from '../platform/sql/statement.ts';
import type { Cents } from '../platform/values/money.ts';
import { type EntryNote, entryColumns, type SharedAccount } from './post.ts';

export type Move = EntryNote & {
  readonly registrarId: number;
  /** Below zero it is taken back: what the balance does not cover becomes a debt. */
  readonly amount: Cents;
  readonly by: SharedAccount;
};

/** The balance after it. */
export async function moveRegistrarMoney(db: Sql, move: Move): Promise<Cents> {
  const { registrarId, amount, by } = move;
  const entry = sql`jsonb_populate_record(null::ledger_entries, ${json(entryColumns(move))})`;
  const cents = (amount > 0n ? amount : -amount).toString();
  const moved =
    amount > 0n
      ? sql`credit_registrar(a.registrar_id, s.id, ${cents}::bigint, ${entry})`
      : sql`reverse_credit(a.registrar_id, s.id, ${cents}::bigint, ${entry})`;
  const row = await db.one(sql<{ balance: string }>`
    select ${moved}::text as balance from ledger_accounts a
    join ledger_accounts s on s.registrar_id is null and s.kind = ${by} and s.currency = a.currency
    where a.registrar_id = ${registrarId} and a.kind = 'registrar'`);
  return BigInt(row.balance);
}

import type { Sql } from '../platform/sql/executor.ts';
import { json, sql } from '../platform/sql/statement.ts';
import type { Cents } from '../platform/values/money.ts';

/** How far a check has come without a finding. */
export type CheckPosition = {
  readonly entryId: number;
  readonly historyId: number;
  /** How many entries were checked up to here. */
  readonly entries: number;
  /** The sum of these entries for each account of a registrar. */
  readonly balances: ReadonlyMap<number, Cents>;
};

export type StoredCheck = CheckPosition & {
  /** When it began with the first entry. */
  readonly startedAt: Date;
  readonly checkedAt: Date;
};

export const FIRST_POSITION: CheckPosition = { entryId: 0, historyId: 0, entries: 0, balances: new Map() };

export async function loadCheck(db: Sql): Promise<StoredCheck | undefined> {
  type Row = Omit<StoredCheck, 'balances'> & { readonly balances: Readonly<Record<string, string>> };
  const row = await db.maybe(sql<Row>`
    select started_at as "startedAt", checked_at as "checkedAt", entry_id as "entryId", history_id as "historyId", entries, balances
    from ledger_checks`);
  if (!row) return undefined;
  const balances = Object.entries(row.balances).map(
    ([account, sum]) => [Number(account), BigInt(sum)] as const,
  );
  return { ...row, balances: new Map(balances) };
}

export async function storeCheck(db: Sql, check: StoredCheck): Promise<void> {
  const { startedAt, checkedAt, entryId, historyId, entries } = check;
  const balances = Object.fromEntries([...check.balances].map(([account, sum]) => [account, sum.toString()]));
  await db.run(sql`
    insert into ledger_checks (started_at, checked_at, entry_id, history_id, entries, balances)
    values (${startedAt}, ${checkedAt}, ${entryId}, ${historyId}, ${entries}, ${json(balances)})
    on conflict (only_row) do update set started_at = excluded.started_at, checked_at = excluded.checked_at,
      entry_id = excluded.entry_id, history_id = excluded.history_id, entries = excluded.entries, balances = excluded.balances`);
}

import type { Sql } from '../platform/sql/executor.ts';
import { sql } from '../platform/sql/statement.ts';

export type ListedEntry = {
  readonly id: number;
  readonly at: Date;
  readonly operation: string;
  readonly description: string;
  /** In cents; positive in favour of the registrar. */
  readonly sum: string;
  readonly balance: string;
  readonly actor: string;
  readonly reason: string | null;
};

/** Entries on a registrar's balance, newest first; undefined if there is no such registrar. */
export async function listEntries(
  db: Sql,
  registrar: string,
  {
    from,
    until,
    limit,
  }: { readonly from?: Date | undefined; readonly until?: Date | undefined; readonly limit: number },
): Promise<ListedEntry[] | undefined> {
  const account = await db.maybe(sql<{ id: number; registrarId: number }>`
    select a.id, a.registrar_id as "registrarId" from ledger_accounts a join registrars r on r.id = a.registrar_id
    where r.code = ${registrar} and a.kind = 'registrar'`);
  if (!account) return undefined;
  return db.rows(sql<ListedEntry>`
    select e.id, e.at, e.operation, e.description, (case when e.credit_account = ${account.id} then e.amount else -e.amount end)::text as sum,
      e.balance_after::text as balance, e.actor, e.reason
    from ledger_entries e
    where e.registrar_id = ${account.registrarId} and ${account.id} in (e.credit_account, e.debit_account)
      ${from === undefined ? sql`` : sql`and e.at >= ${from}`}
      ${until === undefined ? sql`` : sql`and e.at < ${until}`}
    order by e.at desc, e.id desc limit ${limit}`);
}

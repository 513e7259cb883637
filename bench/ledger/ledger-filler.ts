import { creditRegistrar } from '../../src/ledger/credit-registrar.ts';
import { carryOut } from '../../src/operations/operator-operation.ts';
import type { Pool, Sql } from '../../src/platform/sql/executor.ts';
import { identifier } from '../../src/platform/sql/statement.ts';
import { ee } from '../../src/policy/ee.ts';
import { createRegistrar } from '../../src/registry/registrars/create-registrar.ts';
import { sql } from '../../test/support/sql.ts';

const REGISTRARS = 200;
const CREDIT = 1_000_000_000_00n;
const PRICE = 900;
const BATCH = 100_000;
/** From so many entries on some indexes are built afterwards. */
const MANY = 500_000;
/** Built once over all rows, many times faster than row by row. */
const LATE_INDEXES = ['history_object_name', 'history_registrar', 'ledger_entries_registrar'];

/** Writes charges as the product does, each with the create or renew that it is for, in turns over the registrars. */
export class LedgerFiller {
  readonly #db: Sql;
  readonly #at: Date;
  #filled = 0;

  private constructor(db: Pool, at: Date) {
    this.#db = db;
    this.#at = at;
  }

  static async open(db: Pool): Promise<LedgerFiller> {
    const at = new Date(Date.now() - 300 * 86_400_000);
    for (let number = 1; number <= REGISTRARS; number++) await openRegistrar(db, `LEDGER${number}`, at);
    return new LedgerFiller(db, at);
  }

  async fill(entries: number, progress: (filled: number) => void = () => {}): Promise<void> {
    const db = this.#db;
    // Foreign keys and unique constraints hold by construction.
    await db.run(sql`set session_replication_role = replica`);
    const indexes = entries >= MANY ? await dropIndexes(db) : [];
    const end = this.#filled + entries;
    while (this.#filled < end) {
      const [from, until] = [this.#filled + 1, Math.min(this.#filled + BATCH, end)];
      await addCharges(db, from, until, this.#at);
      this.#filled = until;
      progress(until);
    }
    await db.run(sql`reset session_replication_role`);
    for (const definition of indexes) await db.script(definition);
    await db.script('vacuum analyze history, ledger_entries, ledger_accounts');
  }
}

async function openRegistrar(db: Pool, code: string, at: Date): Promise<void> {
  const change = { actor: 'loader', at };
  await carryOut(
    db,
    createRegistrar,
    { code, name: code },
    { ...change, now: at, policy: ee, dryRun: false },
  );
  const credit = { from: 'payments', operation: 'payment', description: 'Payment', ...change } as const;
  await creditRegistrar(db, { registrar: code, amount: CREDIT, ...credit });
}

async function dropIndexes(db: Sql): Promise<string[]> {
  const found = await db.rows(sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes where indexname = any(${LATE_INDEXES}::text[])`);
  for (const { name } of found) await db.run(sql`drop index ${identifier(name)}`);
  return found.map(({ definition }) => definition);
}

/** The charge number `n` is of the registrar whose turn it is, and the balance after it that of all its turns so far. */
async function addCharges(db: Sql, from: number, until: number, at: Date): Promise<void> {
  await db.run(sql`
    with numbered as materialized (
      select n, r.id as registrar_id, a.id as account, nextval(pg_get_serial_sequence('history', 'id')) as history_id,
        ${CREDIT.toString()}::bigint - ${PRICE} * ((n - 1) / ${REGISTRARS} + 1) as balance_after,
        case when n % 3 = 0 then 'renew' else 'create' end as operation, ${at}::timestamptz + n * interval '1 second' as at
      from generate_series(${from}::bigint, ${until}::bigint) as n
      join registrars r on r.code = 'LEDGER' || ((n - 1) % ${REGISTRARS} + 1)
      join ledger_accounts a on a.registrar_id = r.id and a.kind = 'registrar'
      order by n),
    changed as (
      insert into history (id, at, object_kind, object_id, object_name, operation, registrar_id, actor, request_id, after) overriding system value
      select history_id, at, 'domain', n, 'ledger-' || n || '.ee', operation, registrar_id, 'loader', 'loader', '{}' from numbered order by n),
    charged as (
      insert into ledger_entries (at, debit_account, credit_account, amount, operation, description, registrar_id, balance_after, history_id, actor, request_id)
      select numbered.at, account, revenue.id, ${PRICE}, operation, 'Charge ' || n, numbered.registrar_id, balance_after, history_id, 'loader', 'loader'
      from numbered, ledger_accounts revenue where revenue.kind = 'revenue' and revenue.currency = ${ee.currency} order by n)
    update ledger_accounts a set balance = last.balance
    from (select account, min(balance_after) as balance from numbered group by account) as last where a.id = last.account`);
}

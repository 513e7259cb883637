import { balanceOf } from '../ledger/charge.ts';
import { inStatement } from '../operations/in-statement.ts';
import { inTransaction } from '../operations/in-transaction.ts';
import { type Hooks, type Outcome, runOperation } from '../operations/run-operation.ts';
import type { Database } from '../platform/sql/database.ts';
import type { BeginOptions, Sql } from '../platform/sql/executor.ts';
import { toDecimal } from '../platform/values/money.ts';
import { rememberWrongCode, WrongCode } from './access/wrong-codes.ts';
import { inListTurn } from './listing.ts';
import type { Context, Operation, Plan } from './operation.ts';

/** Runs an operation of a registrar, with list turns, the quote of a dry run, and the counting of wrong codes. */
export const runRegistryOperation = <Input, Loaded, P extends Plan>(
  database: Database,
  operation: Operation<Input, Loaded, P>,
  input: Input,
  context: Context,
): Promise<Outcome> => runOperation(database, inStatement(operation, input), context, hooksOn(database));

/** The same for operations that need more than one statement. */
export const runRegistryTransaction = (
  database: Database,
  context: Context,
  transact: (db: Sql) => Promise<object>,
  { commitsDryRun = false, ...options }: BeginOptions & { readonly commitsDryRun?: boolean } = {},
): Promise<Outcome> => {
  const variant = inTransaction<object, Context>({ transact, options, commitsDryRun });
  return runOperation(database, variant, context, hooksOn(database));
};

const hooksOn = (database: Database): Hooks<Context> => ({
  quote,
  // What is decided on comes from the primary.
  loadBulk: ({ principal }, load) =>
    inListTurn({ ...database, replicaLists: database.lists }, principal, load),
  async onRefused(refused, context) {
    if (refused instanceof WrongCode) await rememberWrongCode(database.writes, refused, context);
  },
});

/** The answer of a dry run: what would be answered, its cost, and the remaining balance. */
async function quote(db: Sql, plan: Plan, { principal }: Context): Promise<object> {
  const price = plan.charge?.amount ?? 0n;
  const balance = await balanceOf(db, principal.registrarId);
  return { ...plan.answer, dry_run: { price: toDecimal(price), balance_after: toDecimal(balance - price) } };
}

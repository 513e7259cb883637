import { balanceOf } from '../ledger/charge.ts';
import { inStatement } from '../operations/in-statement.ts';
import { inTransaction } from '../operations/in-transaction.ts';
import { type Hooks, type Outcome, type Quote, runOperation } from '../operations/run-operation.ts';
import type { Database } from '../platform/database/database.ts';
import type { BeginOptions, Pool, Sql } from '../platform/sql/executor.ts';
import { rememberWrongCode, WrongCode } from './access/wrong-transfer-codes.ts';
import type { Context, Operation, Plan } from './operation.ts';

/** Runs an operation of a registrar, with the quote of a dry run and the counting of wrong codes. */
export const runRegistryOperation = <Input, Loaded, P extends Plan>(
  database: Database,
  operation: Operation<Input, Loaded, P>,
  input: Input,
  context: Context,
): Promise<Outcome<P['answer']>> =>
  runOperation(database, inStatement(operation, input), context, hooksOn(database));

/** The same for operations that need more than one statement. */
export const runRegistryTransaction = <Answer>(
  database: Database,
  context: Context,
  transact: (db: Pool) => Promise<Answer>,
  options: BeginOptions = {},
): Promise<Outcome<Answer>> =>
  runOperation(database, inTransaction<Answer, Context>({ transact, options }), context, hooksOn(database));

const hooksOn = (database: Database): Hooks<Context> => ({
  quote,
  async onRefused(refused, context) {
    if (refused instanceof WrongCode) await rememberWrongCode(database.writes, refused, context);
  },
});

/** What the plan costs, and what would be left of the balance. */
export async function quote(db: Sql, { charge }: Plan, { principal }: Context): Promise<Quote> {
  const price = charge?.amount ?? 0n;
  return { price, balanceAfter: (await balanceOf(db, principal.registrarId)) - price };
}

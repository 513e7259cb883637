import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { balanceOf } from '../ledger/balance.ts';
import { findStoredAnswer, type StoredAnswer } from '../operations/idempotency.ts';
import { Refused } from '../operations/refusal.ts';
import { toDecimal } from '../platform/money.ts';
import type { Database } from '../platform/sql/database.ts';
import { classifyDatabaseError } from '../platform/sql/errors.ts';
import type { Sql } from '../platform/sql/executor.ts';
import { rememberWrongCode, WrongCode } from './access/wrong-codes.ts';
import type { Context, Operation, Plan } from './operation.ts';
import { refuse } from './refusals.ts';
import { stepsAlone, stepsInCompany } from './steps.ts';

export type Outcome = { readonly data: object; readonly replayed: boolean };

/** Of many who change one object at once one wins each round, so this bounds how many may meet there. */
const ATTEMPTS = 40;
const PATIENT_ROUNDS = 3;

/**
 * Runs an operation. Whoever loses a race loads and decides again, so that a constraint ends in the same
 * refusal as a check would have; a request that was already carried out under its key is answered as then.
 */
export async function perform<Input, Loaded, P extends Plan>(
  database: Database,
  operation: Operation<Input, Loaded, P>,
  input: Input,
  context: Context,
): Promise<Outcome> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    // Whoever failed in company tries again alone: the fault may have been another's.
    const steps = attempt === 1 ? stepsInCompany(database, operation) : stepsAlone(database, operation);
    const [loaded, kept] = await Promise.all([
      steps.load({ input, context }),
      findStoredAnswer(database.reads, context),
    ]);
    if (kept) return replay(kept);
    const plan = await decideOrReplay(database, operation, loaded, input, context);
    if ('replayed' in plan) return plan;
    if (context.dryRun) return { data: await quote(database.reads, plan, context), replayed: false };
    try {
      await steps.persist({ plan, context });
      return { data: plan.answer, replayed: false };
    } catch (error) {
      if (classifyDatabaseError(error) !== 'conflict') throw error;
      if (attempt > PATIENT_ROUNDS) await stepAside(attempt);
    }
  }
  return refuse('overload');
}

/** The longer the crowd, the wider it spreads. */
const stepAside = (attempt: number): Promise<void> => setTimeout(randomInt(1, 2 + attempt));

async function decideOrReplay<Input, Loaded, P extends Plan>(
  database: Database,
  operation: Operation<Input, Loaded, P>,
  loaded: Loaded,
  input: Input,
  context: Context,
): Promise<P | Outcome> {
  try {
    return operation.decide(loaded, input, context);
  } catch (error) {
    // The refusal may be about this request's own effect, committed by its twin a moment ago.
    const kept = error instanceof Refused ? await findStoredAnswer(database.reads, context) : undefined;
    if (kept) return replay(kept);
    if (error instanceof WrongCode) await rememberWrongCode(database.writes, error, context);
    throw error;
  }
}

const replay = (kept: StoredAnswer): Outcome => ({ data: kept, replayed: true });

/** What a dry run answers: what would have been answered, what it would cost, and what would be left. */
export async function quote(db: Sql, plan: Plan, { principal }: Context): Promise<object> {
  const price = plan.charge?.amount ?? 0n;
  const balance = await balanceOf(db, principal.registrarId);
  return { ...plan.answer, dry_run: { price: toDecimal(price), balance_after: toDecimal(balance - price) } };
}

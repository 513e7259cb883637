import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { balanceOf } from '../ledger/balance.ts';
import type { Charge } from '../ledger/charge.ts';
import type { Database, Sql } from '../platform/database/database.ts';
import { databaseTrouble } from '../platform/database/errors.ts';
import { toDecimal } from '../platform/money.ts';
import type { Policy } from '../policy/policy.ts';
import { rememberWrongCode, WrongCode } from './access/wrong-codes.ts';
import type { Principal } from './actor.ts';
import { findKept, type KeptAnswer, type RequestKey } from './idempotency.ts';
import { Refused, refuse } from './refusals.ts';

/** Everything an operation may know besides its input. Time is asked once, at the door. */
export type Context = {
  readonly principal: Principal;
  readonly now: Date;
  readonly requestId: string;
  readonly requestKey?: RequestKey | undefined;
  readonly dryRun: boolean;
  readonly policy: Policy;
};

/** What a decision comes to: the answer, what it costs, and whatever else is to be written. */
export type Plan = { readonly answer: object; readonly charge?: Charge };

/** One operation in three steps; see docs/architecture.md. */
export type Operation<Input, Loaded, P extends Plan> = {
  /** Many objects at once: loaded beside the short reads, not before them. */
  readonly bulk?: true;
  /** One query brings all that the decision needs. */
  load(sql: Sql, input: Input, context: Context): Promise<Loaded>;
  /** A pure function; refuses by throwing Refused. */
  decide(loaded: Loaded, input: Input, context: Context): P;
  /** One statement writes all of it, the kept answer included, or nothing when the guard it rests on was lost. */
  persist(sql: Sql, plan: P, context: Context): Promise<void>;
};

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
    const [loaded, kept] = await Promise.all([
      operation.load(operation.bulk ? database.lists : database.reads, input, context),
      findKept(database.reads, context),
    ]);
    if (kept) return replay(kept);
    const plan = await decideOrReplay(database, operation, loaded, input, context);
    if ('replayed' in plan) return plan;
    if (context.dryRun) return { data: await quote(database.reads, plan, context), replayed: false };
    try {
      await operation.persist(database.writes, plan, context);
      return { data: plan.answer, replayed: false };
    } catch (error) {
      if (databaseTrouble(error) !== 'lost-race') throw error;
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
    const kept = error instanceof Refused ? await findKept(database.reads, context) : undefined;
    if (kept) return replay(kept);
    if (error instanceof WrongCode)
      await rememberWrongCode(database.writes, error, context.now, context.policy);
    throw error;
  }
}

const replay = (kept: KeptAnswer): Outcome => ({ data: kept, replayed: true });

async function quote(sql: Sql, plan: Plan, { principal }: Context): Promise<object> {
  const price = plan.charge?.amount ?? 0n;
  const balance = await balanceOf(sql, principal.registrarId);
  return { ...plan.answer, dry_run: { price: toDecimal(price), balance_after: toDecimal(balance - price) } };
}

import { MicroBatcher } from '../platform/concurrency/micro-batcher.ts';
import { classifyDatabaseError } from '../platform/database/database-errors.ts';
import type { Pool, Sql } from '../platform/sql/executor.ts';
import { findStoredAnswer } from './stored-answers.ts';
import type { OperationContext, Plan, Run, Store, Variant } from './run-operation.ts';

export type Request<Input, Context> = { readonly input: Input; readonly context: Context };
export type Decided<P extends Plan, Context> = { readonly plan: P; readonly context: Context };

/** One operation in three steps; see docs/contribute/changing.md. */
export type Operation<Input, Loaded, P extends Plan, Context> = {
  /** One query loads everything the decision needs. */
  load(db: Sql, input: Input, context: Context): Promise<Loaded>;
  /** A pure function; refuses by throwing Refused. */
  decide(loaded: Loaded, input: Input, context: Context): P;
  /**
   * One statement writes everything, the stored answer included, or nothing if a concurrent change won. It returns the
   * answer where that has something that the database generates.
   */
  persist(db: Pool, plan: P, context: Context): Promise<void> | Promise<P['answer']>;
  /** Load and persist for simultaneous requests, with one statement for all of them. */
  readonly batch?: {
    load(db: Sql, requests: readonly Request<Input, Context>[]): Promise<readonly Loaded[]>;
    persist(
      db: Pool,
      decided: readonly Decided<P, Context>[],
    ): Promise<void> | Promise<readonly P['answer'][]>;
  };
};

/** Loads, decides and persists with one statement each; simultaneous requests share them if the operation supports batches. */
export function inStatement<Input, Loaded, P extends Plan, Context extends OperationContext>(
  operation: Operation<Input, Loaded, P, Context>,
  input: Input,
): Variant<P['answer'], Context> {
  return async (run) => {
    const { store, context, hooks, attempt } = run;
    // A member of a failed batch is retried alone: another member may have caused the failure.
    const steps = attempt === 1 ? batchedSteps(run, operation) : singleSteps(run, operation);
    const [loaded, stored] = await Promise.all([
      steps.load({ input, context }),
      findStoredAnswer(store.reads, context),
    ]);
    if (stored) return { replayed: true, stored };
    const plan = operation.decide(loaded, input, context);
    const { answer } = plan;
    if (!context.dryRun)
      return { replayed: false, answer: (await steps.persist({ plan, context })) ?? answer };
    if (hooks.quote) return { replayed: false, answer, quote: await hooks.quote(store.reads, plan, context) };
    return { replayed: false, answer };
  };
}

/** The two steps of an operation that access the database. */
type Steps<Input, Loaded, P extends Plan, Context> = {
  load(request: Request<Input, Context>): Promise<Loaded>;
  persist(decided: Decided<P, Context>): Promise<P['answer'] | undefined>;
};

function singleSteps<Input, Loaded, P extends Plan, Context>(
  { store: { reads, writes } }: Run<Context>,
  operation: Operation<Input, Loaded, P, Context>,
): Steps<Input, Loaded, P, Context> {
  return {
    load: ({ input, context }) => operation.load(reads, input, context),
    async persist({ plan, context }) {
      const answer = await operation.persist(writes, plan, context);
      return answer ?? undefined;
    },
  };
}

const MAX_BATCH = 32;
const known = new WeakMap<Store, Map<object, unknown>>();

/** The steps that simultaneous requests on one store share, if the operation supports batches. */
function batchedSteps<Input, Loaded, P extends Plan, Context>(
  run: Run<Context>,
  operation: Operation<Input, Loaded, P, Context>,
): Steps<Input, Loaded, P, Context> {
  const { batch } = operation;
  if (!batch) return singleSteps(run, operation);
  const { store } = run;
  const ofStore = known.get(store) ?? new Map<object, unknown>();
  known.set(store, ofStore);
  // By the batch: variants of an operation that only decide differently share it.
  const steps =
    (ofStore.get(batch) as Steps<Input, Loaded, P, Context> | undefined) ?? startBatching(store, batch);
  ofStore.set(batch, steps);
  return steps;
}

function startBatching<Input, Loaded, P extends Plan, Context>(
  { reads, writes }: Store,
  batch: NonNullable<Operation<Input, Loaded, P, Context>['batch']>,
): Steps<Input, Loaded, P, Context> {
  const loads = new MicroBatcher<Request<Input, Context>, Loaded>(
    (requests) => batch.load(reads, requests),
    MAX_BATCH,
  );
  const persists = new MicroBatcher<Decided<P, Context>, P['answer'] | undefined>(async (decided) => {
    try {
      const answers = await batch.persist(writes, decided);
      return answers ?? [];
    } catch (error) {
      throw decided.length > 1 && classifyDatabaseError(error) === 'busy' ? new BatchTimedOut(error) : error;
    }
  }, MAX_BATCH);
  return { load: (request) => loads.add(request), persist: (decided) => persists.add(decided) };
}

/** A batch was not written in time. What it waited for may concern one of its requests: each is attempted by itself. */
class BatchTimedOut extends Error {
  override name = 'BatchTimedOut';
  readonly code = '40001';
  constructor(cause: unknown) {
    super('the batch waited too long', { cause });
  }
}

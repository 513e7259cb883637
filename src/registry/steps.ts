import { MicroBatcher } from '../platform/micro-batcher.ts';
import type { Database } from '../platform/sql/database.ts';
import { inListTurn } from './list-turns.ts';
import type { Decided, Operation, Plan, Request } from './operation.ts';

/** The two steps of an operation that ask the database. */
export type Steps<Input, Loaded, P extends Plan> = {
  load(request: Request<Input>): Promise<Loaded>;
  persist(decided: Decided<P>): Promise<void>;
};

export function stepsAlone<Input, Loaded, P extends Plan>(
  database: Database,
  operation: Operation<Input, Loaded, P>,
): Steps<Input, Loaded, P> {
  return {
    load: ({ input, context }) =>
      operation.bulk
        ? inListTurn(database, context.principal, (sql) => operation.load(sql, input, context))
        : operation.load(database.reads, input, context),
    persist: ({ plan, context }) => operation.persist(database.writes, plan, context),
  };
}

const LARGEST = 32;
const BATCHES = {
  load: { maxConcurrent: 1, maxSize: LARGEST },
  persist: { maxConcurrent: 2, maxSize: LARGEST },
};
const known = new WeakMap<Database, Map<object, unknown>>();

/** The steps shared with whoever comes at the same time, where the operation can do that. */
export function stepsInCompany<Input, Loaded, P extends Plan>(
  database: Database,
  operation: Operation<Input, Loaded, P>,
): Steps<Input, Loaded, P> {
  const { together } = operation;
  if (!together) return stepsAlone(database, operation);
  const ofDatabase = known.get(database) ?? new Map<object, unknown>();
  known.set(database, ofDatabase);
  const steps =
    (ofDatabase.get(operation) as Steps<Input, Loaded, P> | undefined) ?? gather(database, together);
  ofDatabase.set(operation, steps);
  return steps;
}

function gather<Input, Loaded, P extends Plan>(
  database: Database,
  together: NonNullable<Operation<Input, Loaded, P>['together']>,
): Steps<Input, Loaded, P> {
  const loads = new MicroBatcher<Request<Input>, Loaded>(
    (requests) => together.load(database.reads, requests),
    BATCHES.load,
  );
  const persists = new MicroBatcher<Decided<P>, void>(async (decided) => {
    await together.persist(database.writes, decided);
    return [];
  }, BATCHES.persist);
  return { load: (request) => loads.add(request), persist: (decided) => persists.add(decided) };
}

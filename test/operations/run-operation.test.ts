import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { storeAnswer, storeAnswers } from '../../src/operations/stored-answers.ts';
import { inStatement, type Operation } from '../../src/operations/in-statement.ts';
import { inTransaction, runTransaction } from '../../src/operations/in-transaction.ts';
import { defineRefusals, Refused } from '../../src/operations/refusal.ts';
import { CONFLICT_RETRIES } from '../../src/operations/conflict-retries.ts';
import {
  answerOf,
  type OperationContext,
  type Outcome,
  runOperation,
  type Store,
} from '../../src/operations/run-operation.ts';
import { Deadline, DeadlineExceeded } from '../../src/platform/concurrency/deadline.ts';
import { withDeadline } from '../../src/platform/work-scope.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import { type Database, type Owner, openDatabase } from '../../src/platform/database/database.ts';
import { classifyDatabaseError, OutdatedPreparation } from '../../src/platform/database/database-errors.ts';
import type { Pool, Sql } from '../../src/platform/sql/executor.ts';
import { runAndRollBack } from '../../src/platform/sql/run-and-roll-back.ts';
import { part, WithStatement } from '../../src/platform/sql/with.ts';
import { connectAsOwner } from '../support/connect-as-owner.ts';
import { createTestDatabase } from '../support/registry.ts';
import { sql } from '../support/sql.ts';

let owner: Owner;
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const created = await createTestDatabase();
  drop = created.drop;
  const target = { ...inject('server'), database: created.name };
  owner = await connectAsOwner(target);
  await owner.script('create table counters (name text primary key, value int not null)');
  await owner.script('grant all on counters to public');
  database = openDatabase(target, readConfig('sandbox', {}), 'UTC');
});
afterAll(async () => {
  await database.close();
  await owner.close();
  await drop();
});
beforeEach(async () => {
  await owner.script("truncate counters; insert into counters values ('one', 0), ('two', 0)");
});

const valueNow = async (name = 'one') =>
  (await owner.one(sql<{ value: number }>`select value from counters where name = ${name}`)).value;
const changeConcurrently = () => owner.run(sql`update counters set value = value + 100 where name = 'one'`);
const keysStored = async () =>
  (await owner.one(sql<{ count: number }>`select count(*)::int as count from idempotency_keys`)).count;

let keys = 0;
const context = (more: Partial<OperationContext> = {}): OperationContext => ({
  now: new Date('2026-11-16T10:00:00Z'),
  dryRun: false,
  ...more,
});
const keyed = (key = `key ${++keys}`, request = 'same'): OperationContext =>
  context({ requestKey: { scope: 'test', key, fingerprint: Buffer.from(request) } });

const { refuse } = defineRefusals({
  full: { code: 2306, kind: 'rule', text: 'The counter is full', when: 'it has reached its limit' },
});
const nameOfRefusal = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => 'carried out',
    (error: unknown) => (error instanceof Refused ? error.refusals[0].name : error),
  );

type Input = { readonly name?: string; readonly limit?: number; readonly beforePersist?: () => unknown };
type Counted = { readonly answer: { readonly value: number }; readonly input: Input };

/** Increments a counter, guarded by the value that the decision is based on. */
function raising() {
  const counts = { loads: 0, persists: 0 };
  const load = async (db: Sql, { name = 'one' }: Input) => {
    counts.loads += 1;
    return (await db.one(sql<{ value: number }>`select value from counters where name = ${name}`)).value;
  };
  const operation: Operation<Input, number, Counted, OperationContext> = {
    load,
    decide(value, input) {
      if (value >= (input.limit ?? 1000)) refuse('full');
      return { answer: { value: value + 1 }, input };
    },
    async persist(db, { answer, input: { name = 'one', beforePersist } }, ofRequest) {
      counts.persists += 1;
      await beforePersist?.();
      const changed = part(
        'changed',
        ['stored'],
        sql`update counters set value = ${answer.value} from stored where name = ${name} and value = ${answer.value - 1} returning 1`,
      );
      const statement = WithStatement.from(storeAnswer(answer, ofRequest)).and(changed);
      await db.run(statement.end(['changed'], sql`select require_unchanged(count(*) = 1) from changed`));
    },
  };
  return { operation, counts };
}

describe('an operation of one statement', () => {
  test('success: loads, decides and persists once', async () => {
    const { operation, counts } = raising();
    const outcome = await runOperation(database, inStatement(operation, {}), context());
    expect(outcome).toEqual({ answer: { value: 1 }, replayed: false });
    expect([await valueNow(), counts]).toEqual([1, { loads: 1, persists: 1 }]);
  });

  test('success: after a conflict it decides again on the new state', async () => {
    const { operation, counts } = raising();
    const beforePersist = () => (counts.persists === 1 ? changeConcurrently() : undefined);
    const outcome = await runOperation(database, inStatement(operation, { beforePersist }), context());
    expect(answerOf(outcome)).toEqual({ value: 101 });
    expect([await valueNow(), counts]).toEqual([101, { loads: 2, persists: 2 }]);
  });

  test('failure: a request that a conflict has made impossible is refused like any other', async () => {
    const { operation, counts } = raising();
    const input = { limit: 50, beforePersist: changeConcurrently };
    expect(await nameOfRefusal(runOperation(database, inStatement(operation, input), context()))).toBe(
      'full',
    );
    expect([await valueNow(), counts]).toEqual([100, { loads: 2, persists: 1 }]);
  });

  test('failure: the conflict of the last attempt is thrown', async () => {
    const { operation, counts } = raising();
    const input = { limit: 100_000, beforePersist: changeConcurrently };
    const failure = await runOperation(database, inStatement(operation, input), context()).catch(
      (error: unknown) => error,
    );
    expect(classifyDatabaseError(failure)).toBe('conflict');
    expect(counts.persists).toBe(CONFLICT_RETRIES.attempts);
  });

  test('failure: any other error of the database is thrown at once', async () => {
    const { operation, counts } = raising();
    const beforePersist = () => owner.run(sql`select 1 / 0`);
    const run = runOperation(database, inStatement(operation, { beforePersist }), context());
    await expect(run).rejects.toThrow('division by zero');
    expect(counts.persists).toBe(1);
  });

  test('success: of many that change one object at once none is left out', async () => {
    const runs = Array.from({ length: 30 }, () =>
      runOperation(database, inStatement(raising().operation, {}), context()),
    );
    const values = (await Promise.all(runs)).map((outcome) => answerOf(outcome).value);
    expect(values.toSorted((one, other) => one - other)).toEqual(values.map((_, index) => index + 1));
    expect(await valueNow()).toBe(30);
  });
});

describe('a request with a key', () => {
  test('success: a duplicate is answered with the stored answer', async () => {
    const { operation, counts } = raising();
    const request = keyed();
    const run = () => runOperation(database, inStatement(operation, {}), request);
    expect(await run()).toEqual({ answer: { value: 1 }, replayed: false });
    expect(await run()).toEqual({ stored: { value: 1 }, replayed: true });
    expect([await valueNow(), counts.persists]).toEqual([1, 1]);
  });

  test('success: of duplicates in flight one takes effect, in either variant', async () => {
    const request = keyed();
    const statements = Array.from({ length: 6 }, () =>
      runOperation(database, inStatement(raising().operation, {}), request),
    );
    const transactions = Array.from({ length: 6 }, () =>
      runOperation(database, inTransaction<object, OperationContext>({ transact: raise }), request),
    );
    const outcomes = await Promise.all<Outcome<object>>([...statements, ...transactions]);
    const answers = outcomes.map((one) => (one.replayed ? one.stored : one.answer));
    expect(answers).toEqual(outcomes.map(() => ({ value: 1 })));
    expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await valueNow()).toBe(1);
  });

  test('success: a duplicate refused because of the effect of the first gets the stored answer', async () => {
    const request = keyed();
    const refused: unknown[] = [];
    const onRefused = async (error: unknown) => void refused.push(error);
    const duplicate = () => runOperation(database, inStatement(raising().operation, {}), request);
    // The look-up comes before the duplicate commits, the load after it.
    let committed: Promise<unknown> | undefined;
    const reads: Sql = {
      ...database.reads,
      maybe: async (statement) => {
        const found = await database.reads.maybe(statement);
        committed ??= duplicate();
        await committed;
        return found;
      },
      one: async (statement) => {
        while (!committed) await sleep(1);
        await committed;
        return database.reads.one(statement);
      },
    };
    const store: Store = { reads, writes: database.writes };
    const late = runOperation(store, inStatement(raising().operation, { limit: 1 }), request, { onRefused });
    expect(await late).toEqual({ stored: { value: 1 }, replayed: true });
    expect([await valueNow(), refused]).toEqual([1, []]);
  });

  test('failure: a refusal is not stored: the same key may succeed later', async () => {
    const request = keyed();
    const run = (limit: number) =>
      nameOfRefusal(runOperation(database, inStatement(raising().operation, { limit }), request));
    expect([await run(0), await run(1), await valueNow()]).toEqual(['full', 'carried out', 1]);
  });

  test('failure: an idempotency key that was used with another request', async () => {
    const { requestKey } = keyed();
    const run = (request: string) =>
      nameOfRefusal(
        runOperation(
          database,
          inStatement(raising().operation, {}),
          context({ requestKey: requestKey && { ...requestKey, fingerprint: Buffer.from(request) } }),
        ),
      );
    expect([await run('first'), await run('second'), await valueNow()]).toEqual([
      'carried out',
      'keyReused',
      1,
    ]);
  });

  test('success: what is stored is the answer as the interface has it', async () => {
    const { requestKey } = keyed();
    const toStored = (answer: unknown) => ({ shown: answer });
    const request = context({ requestKey: requestKey && { ...requestKey, toStored } });
    const run = () => runOperation(database, inStatement(raising().operation, {}), request);
    expect([await run(), await run()]).toEqual([
      { answer: { value: 1 }, replayed: false },
      { stored: { shown: { value: 1 } }, replayed: true },
    ]);
  });

  test('failure: the answer of a replay is not taken for that of the operation', async () => {
    const request = keyed();
    const run = () => runOperation(database, inStatement(raising().operation, {}), request);
    expect(answerOf(await run())).toEqual({ value: 1 });
    const replay = await run();
    expect(() => answerOf(replay)).toThrow('a request without a key');
  });
});

describe('a dry run', () => {
  const QUOTE = { price: 100n, balanceAfter: 900n };
  const quote = async () => QUOTE;

  test('success: decides, returns the price, and writes nothing', async () => {
    const before = await keysStored();
    const { operation, counts } = raising();
    const request = { ...keyed(), dryRun: true };
    const outcome = await runOperation(database, inStatement(operation, {}), request, { quote });
    expect(outcome).toEqual({ answer: { value: 1 }, quote: QUOTE, replayed: false });
    const transaction = inTransaction<object, OperationContext>({ transact: async () => ({ value: 2 }) });
    expect(await runOperation(database, transaction, request, { quote })).toEqual({
      answer: { value: 2 },
      quote: QUOTE,
      replayed: false,
    });
    expect([await valueNow(), counts.persists, await keysStored()]).toEqual([0, 0, before]);
  });

  test('success: a transaction that writes is rolled back', async () => {
    const dryRun = context({ dryRun: true });
    const outcome = await runOperation(database, inTransaction({ transact: raise }), dryRun);
    expect([answerOf(outcome), await valueNow()]).toEqual([{ value: 1 }, 0]);
  });

  test('failure: a refusal keeps its own effect', async () => {
    const refused: string[] = [];
    const onRefused = async (error: Refused) => void refused.push(error.refusals[0].name);
    const { operation } = raising();
    for (const dryRun of [true, false])
      await nameOfRefusal(
        runOperation(database, inStatement(operation, { limit: 0 }), context({ dryRun }), { onRefused }),
      );
    expect(refused).toEqual(['full', 'full']);
  });
});

const raise = (db: Sql) =>
  db.one(sql<{ value: number }>`update counters set value = value + 1 where name = 'one' returning value`);

describe('an operation in a transaction', () => {
  test('success: everything is committed together with the stored answer', async () => {
    const request = keyed();
    const run = () =>
      runOperation(database, inTransaction<object, OperationContext>({ transact: raise }), request);
    expect(await run()).toEqual({ answer: { value: 1 }, replayed: false });
    expect(await run()).toEqual({ stored: { value: 1 }, replayed: true });
    expect(await valueNow()).toBe(1);
  });

  test('success: a job or a command is repeated after a conflict, also where all of it is rolled back', async () => {
    const attempts: number[] = [];
    const work = async (pool: Pool) =>
      runTransaction(pool, context().now, async (db) => {
        const { value } = await raise(db);
        if (attempts.push(value) % 2 === 1) await conflict(db);
        return value;
      });
    expect([await runAndRollBack(database.writes, work), await valueNow()]).toEqual([1, 0]);
    expect([await work(database.writes), await valueNow()]).toEqual([1, 1]);
    expect(attempts).toEqual([1, 1, 1, 1]);
  });

  test('failure: a refusal rolls all of it back', async () => {
    const transact = async (db: Sql) => {
      await raise(db);
      return refuse('full');
    };
    expect(await nameOfRefusal(runOperation(database, inTransaction({ transact }), context()))).toBe('full');
    expect(await valueNow()).toBe(0);
  });

  test('success: prepared values are reused after a conflict, and prepared again when outdated', async () => {
    const [prepared, failures] = [[] as number[], [conflict, overtaken, overtaken]];
    const outcome = await runOperation(
      database,
      inTransaction({
        prepare: async () => prepared.push(await valueNow()),
        transact: async (db, of: number) => {
          await raise(db);
          await failures.shift()?.(db);
          return { of };
        },
      }),
      keyed(),
    );
    expect(outcome).toEqual({ answer: { of: 3 }, replayed: false });
    expect([prepared.length, await valueNow()]).toEqual([3, 1]);
  });

  test('success: the effect of another service is recorded even after the deadline', async () => {
    const late = (ignoresDeadline?: true) => {
      const deadline = Deadline.in(60_000);
      // The deadline passes during the request to the other service.
      const prepare = async () => deadline.abandon();
      return withDeadline(deadline, () =>
        runOperation(
          database,
          inTransaction({ ...(ignoresDeadline && { ignoresDeadline }), prepare, transact: raise }),
          context(),
        ),
      );
    };
    await expect(late()).rejects.toThrow(DeadlineExceeded);
    expect(answerOf(await late(true))).toEqual({ value: 1 });
  });
});

const conflict = (db: Sql) => db.run(sql`select require_unchanged(false)`);
const overtaken = () => Promise.reject(new OutdatedPreparation('prepared for another state'));

describe('operations in a batch', () => {
  /** Increments counters for several requests with one statement. */
  function batching() {
    const { operation } = raising();
    const batches: number[] = [];
    let failure: Error | undefined;
    const batched: typeof operation = {
      ...operation,
      batch: {
        load: (db, requests) =>
          Promise.all(requests.map(({ input, context: of }) => operation.load(db, input, of))),
        async persist(db, decided) {
          batches.push(decided.length);
          if (failure) throw failure;
          const names = decided.map(({ plan }) => plan.input.name ?? 'one');
          const before = decided.map(({ plan }) => plan.answer.value - 1);
          const changed = part(
            'changed',
            ['stored'],
            sql`
              update counters set value = w.before + 1 from stored cross join unnest(${names}::text[], ${before}::int[]) as w(name, before)
              where counters.name = w.name and counters.value = w.before returning 1`,
          );
          const head = storeAnswers(decided.map(({ plan, context: of }) => ({ ...of, answer: plan.answer })));
          const statement = WithStatement.from(head).and(changed);
          await db.run(
            statement.end(
              ['changed'],
              sql`select require_unchanged(count(*) = ${decided.length}) from changed`,
            ),
          );
        },
      },
    };
    const run = (input: Input, of = context(), variant = batched) =>
      runOperation(database, inStatement(variant, input), of);
    return { run, batched, batches, fail: (error: Error) => (failure = error) };
  }

  test('success: concurrent ones share statements', async () => {
    const { run, batches } = batching();
    const requests = [keyed(), keyed()];
    const both = () => Promise.all([run({ name: 'one' }, requests[0]), run({ name: 'two' }, requests[1])]);
    expect((await both()).map(answerOf)).toEqual([{ value: 1 }, { value: 1 }]);
    expect(batches).toEqual([2]);
    expect((await both()).map(({ replayed }) => replayed)).toEqual([true, true]);
  });

  test('success: an operation and its variant with another decision share statements', async () => {
    const { run, batched, batches } = batching();
    const variant: typeof batched = {
      ...batched,
      decide: (value, ...rest) => batched.decide(value, ...rest),
    };
    await Promise.all([run({ name: 'one' }), run({ name: 'two' }, context(), variant)]);
    expect(batches).toEqual([2]);
  });

  test('success: where one member fails the batch each runs alone', async () => {
    const { run, batches } = batching();
    // Two of them are based on the same value: only one can win.
    const outcomes = await Promise.all([run({ name: 'one' }), run({ name: 'one' }), run({ name: 'two' })]);
    expect(outcomes.map((outcome) => answerOf(outcome).value).toSorted()).toEqual([1, 1, 2]);
    expect([await valueNow('one'), await valueNow('two'), batches]).toEqual([2, 1, [3]]);
  });

  test('failure: a refusal affects its own request only', async () => {
    const { run } = batching();
    const ends = await Promise.all([nameOfRefusal(run({ limit: 0 })), nameOfRefusal(run({ name: 'two' }))]);
    expect([ends, await valueNow('one'), await valueNow('two')]).toEqual([['full', 'carried out'], 0, 1]);
  });

  test('success: where a batch times out each runs alone', async () => {
    const { run, batches, fail } = batching();
    fail(Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' }));
    const outcomes = await Promise.all([run({ name: 'one' }), run({ name: 'two' })]);
    expect(outcomes.map((outcome) => answerOf(outcome).value)).toEqual([1, 1]);
    expect(batches).toEqual([2]);
  });

  test('failure: a batch of one that times out', async () => {
    const { run, batches, fail } = batching();
    fail(Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' }));
    await expect(run({ name: 'one' })).rejects.toMatchObject({ code: '55P03' });
    expect([batches, await valueNow('one')]).toEqual([[1], 0]);
  });
});
